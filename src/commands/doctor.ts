import { Command } from 'commander'
import type { Context } from '../context.ts'
import { type ErrorKind, HermError } from '../errors.ts'
import { once } from '../once.ts'
import type { Check } from '../session/doctor/examine.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface DoctorInput extends GlobalOptions, Pick<SettingFlags, 'session'> {}

export function doctorCommand(context: Context, run = runDoctor): Command {
  return new Command('doctor')
    .description(
      'look at everything that the tool needs, from its files to the service, and say what to do; changes nothing',
    )
    .summary('check all that the tool needs; changes nothing')
    .option('--session <id>', 'the session whose stream is tried (default: HERM_SESSION, the profile, any session)')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools doctor', 'herm-tools doctor --session ses_01 --json'],
        exits: {
          done: 'no problem; there may be warnings',
          failed: 'the first problem is another than these',
          auth: 'the first problem is the key',
          unreachable: 'the first problem is that the service cannot be reached',
        },
        related: ['auth status', 'config list', 'reconcile'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<DoctorInput>()))
}

/** Prints each check as it ends. Throws, with the kind of the first problem, when there is one. */
async function runDoctor(context: Context, input: DoctorInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const [{ examine }, { loadSettings }, { checkRecord }] = await Promise.all([
      import('../session/doctor/examine.ts'),
      import('../store/settings.ts'),
      import('../output/describe-doctor.ts'),
    ])
    const { version, runtime, env, clock, signal } = context
    // What they warn of is a finding of its own.
    const onWarning = () => undefined
    const config = await context.config({ onWarning })
    const journal = await context.journal({ onWarning })
    const settings = once(() => loadSettings({ store: config, flags: input, env }))
    const client = once(async () => {
      const { baseUrl, apiKey, caFile } = await settings()
      const { allowInsecureHttp } = input
      const debug = input.debug ? (line: string) => reporter.note(`debug: ${line}`) : undefined
      return context.client({
        baseUrl: baseUrl.value,
        apiKey: apiKey?.value,
        allowInsecureHttp,
        caFile,
        onWarning,
        debug,
      })
    })
    const probe = once(async () => (await client()).probe({ signal }))
    const problems: Check[] = []
    try {
      const installation = { version, runtime, env, clock, signal, config, journal, settings, client, probe }
      for await (const check of examine({ ...installation, folders: await context.folders() })) {
        reporter.print(checkRecord(check))
        if (check.outcome === 'problem') problems.push(check)
      }
    } finally {
      if (client.wasCalled()) await client().then((made) => made.close(), onWarning)
    }
    throwFirst(problems)
    reporter.note('no problem was found')
  })
}

function throwFirst(problems: readonly Check[]): void {
  const [first] = problems
  if (first === undefined) return
  const kinds: readonly (ErrorKind | undefined)[] = ['auth', 'unreachable']
  const kind = kinds.includes(first.kind) ? first.kind : undefined
  const count = problems.length === 1 ? 'a problem was found' : `${problems.length} problems were found`
  throw new HermError(kind ?? 'failed', count, { hint: `Begin with the first, ${first.name.replace('_', ' ')}.` })
}
