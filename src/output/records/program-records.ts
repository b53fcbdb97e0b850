import * as z from 'zod/mini'
import { count, described, recordShape, text, textOrNull } from './record-shape.ts'

/** What the program says of itself. */

export const check = recordShape('check', 'doctor: what one check found', {
  check: described(text, 'its name, such as config_file or connection'),
  outcome: z.enum(['ok', 'warning', 'problem', 'skipped']),
  found: described(text, 'in words, which may change'),
  advice: described(textOrNull, 'what to do about it'),
  facts: described(
    z.record(z.string(), z.nullable(z.union([text, z.number(), z.array(text)]))),
    'what was measured, by name; which names there are depends on the check',
  ),
})

export const emulator = recordShape('emulator', 'emulator: its URL, once it listens', { url: text })

export const error = recordShape('error', 'on standard error: what failed, a hint, the exit code', {
  code: described(text, "the service's own code, or a kind of `help exit-codes`"),
  message: text,
  hint: described(textOrNull, 'what to type or check next'),
  exit_code: count,
})

export const exitCode = recordShape('exit_code', 'help exit-codes: one exit code', {
  code: count,
  kind: text,
  meaning: text,
})

export const help = recordShape('help', 'help: the text of a topic', { topic: text, text: z.string() })

export const place = recordShape('place', 'help files: one file or folder that is kept on this machine', {
  name: text,
  path: text,
  mode: text,
  holds: text,
  removal: described(text, 'whether it may be removed'),
})

export const recordType = recordShape('record_type', 'help output and schema: one type of record', {
  name: text,
  meaning: text,
})

export const variable = recordShape('variable', 'help environment: one variable', { name: text, meaning: text })
