import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'

/** `help output`. */
export function outputHelp(): Printable[] {
  const rows = Object.entries(recordTypes).map(([name, meaning]) => ({ name: `herm_tools.${name}`, meaning }))
  return [
    { json: { type: 'herm_tools.help', topic: 'output', text: STREAMS }, text: () => `${STREAMS}\n` },
    ...tableRows(rows, {
      record: (row) => ({ type: 'herm_tools.record_type', ...row }),
      columns: [
        { title: 'RECORD', cell: ({ name }) => name },
        { title: 'MEANING', cell: ({ meaning }) => meaning },
      ],
    }),
  ]
}

const STREAMS = `Standard output carries data and nothing else; progress, notes, prompts and errors go to standard error.
With --json, standard output is one JSON object per line, written as it happens, and an error is one on standard error.
What comes from the service (events, sessions) is its own JSON, untouched. The tool's own records have a type that begins
with "herm_tools.". Within a major version, records and fields are added, and none is renamed, removed or changed in
meaning: pass over what you do not know.
Text for people may change at any time. In it, control characters from a session are left out; in JSON they are exact.`

const recordTypes: Readonly<Record<string, string>> = {
  auth: 'auth status: the key in force, and where it comes from',
  config_path: 'config path: where the config file is',
  emulator: 'emulator: its URL, once it listens',
  error: 'on standard error: what failed, a hint, the exit code',
  exit_code: 'help exit-codes: one exit code',
  frame: 'watch: a frame of the stream that holds no event',
  help: 'help: the text of a topic',
  idle: 'wait: the session is idle, and how its turn ended',
  job: 'jobs: one call of the journal',
  job_forgotten: 'jobs forget: the call that is gone from the journal',
  job_kept_aside: 'jobs forget: where an entry is kept that could not be read',
  login: 'auth login: where the key is stored',
  logout: 'auth logout: whether a key was removed',
  message: 'message: it was accepted',
  pending: 'pending: one call that is owed an answer',
  reconnected: 'watch: the connection stands again, and what was missed',
  record_type: 'help output: one type of record',
  result: 'running, complete, fail: the outcome, and the event that records it',
  result_updated: 'watch: a result that changed in history',
  setting: 'config list and get: a setting, its value and its origin',
  setting_changed: 'config set and unset: what the profile now holds',
  variable: 'help environment: one variable',
  verdict: 'reconcile: what was found out about one call',
}
