import type { Context } from '../context.ts'
import type { JournalEntry } from '../store/journal.ts'
import { isOpen, isWithin } from '../store/which-entries.ts'
import type { Candidate, Candidates, ValuesOf } from './completion-candidates.ts'
import type { Position } from './completion-position.ts'

/** What this machine knows: names of profiles, sessions and calls. Asks nothing of the service. Rejects as journal and config do. */
export function localValues(context: Context): ValuesOf {
  return async (name, position) => sources[name]?.(position, context) ?? []
}

/** By the flag, or by the argument. */
const sources: Readonly<Record<string, (position: Position, context: Context) => Promise<Candidates>>> = {
  '--file': files,
  '--scenario': files,
  '--ca-file': files,
  '--profile': profiles,
  '<profile>': profiles,
  '--session': sessions,
  '<session>': sessions,
  '<sessions>': sessions,
  '--tool-use-id': calls,
  '<tool-use-id>': calls,
  '<key>': async () => words((await import('./config-key.ts')).configKeys),
  '<name>': schemaNames,
  '--since': async () => words(['start', 'now', '10m', '1h']),
  '--until': async () => words(['idle', 'call', 'call=', 'type=', 'result=']),
  '--type': async () => words(eventTypes),
  '--status': async () => words(['idle', 'running', 'requires_action']),
  '--fault': async () => words(Object.keys((await import('../emulator/fault-kinds.ts')).faultKinds)),
}

/** Those that a user meets. Others pass as well, and so does any pattern. */
const eventTypes = [
  ...['agent.*', 'agent.message', 'agent.custom_tool_use', 'agent.approval_request'],
  ...['user.*', 'user.message', 'user.custom_tool_result', 'user.tool_confirmation', 'user.steer', 'user.interrupt'],
  ...['session.*', 'session.status_idle', 'session.status_running', 'session.error'],
]

async function files(): Promise<'files'> {
  return 'files'
}

async function profiles(_position: Position, context: Context): Promise<Candidate[]> {
  return words(Object.keys((await readConfig(context)).profiles))
}

/** Those of calls in the journal, the latest first, then those that profiles name. */
async function sessions(position: Position, context: Context): Promise<Candidate[]> {
  const [entries, { profiles }] = await Promise.all([latestEntries(position, context), readConfig(context)])
  const named = Object.values(profiles).flatMap(({ session }) => session ?? [])
  return words([...entries.map(({ sessionId }) => sessionId), ...named])
}

/** Those that the command has something to do for. */
async function calls(position: Position, context: Context): Promise<Candidate[]> {
  const isWanted = wanted[position.command.name()] ?? (() => true)
  return (await latestEntries(position, context, position.flags['--session']))
    .filter(isWanted)
    .map(({ toolUseId, toolName, sessionId }) => ({
      value: toolUseId,
      meaning: `${toolName ?? 'a call'} in ${sessionId}`,
    }))
}

const isUnanswered = ({ kickoff, final }: JournalEntry) => kickoff === undefined && final === undefined

/** By the name of a command; others take any call. The journal does not know which calls wait for an approval. */
const wanted: Readonly<Record<string, (entry: JournalEntry) => boolean>> = {
  running: isUnanswered,
  approve: isUnanswered,
  deny: isUnanswered,
  complete: isOpen,
  fail: isOpen,
}

async function schemaNames({ command }: Position): Promise<Candidate[]> {
  if (command.name() !== 'schema') return []
  const { lineTypes } = await import('../output/record-schema.ts')
  return lineTypes.map(({ name, meaning }) => ({ value: name.replace(/^herm_tools\./, ''), meaning }))
}

/** Of the service that the command would ask, the last changed first. */
async function latestEntries(position: Position, context: Context, sessionId?: string): Promise<JournalEntry[]> {
  const journal = await context.journal({ onWarning: () => undefined })
  const [{ entries }, baseUrl] = await Promise.all([journal.list(), serviceOf(position, context)])
  return entries
    .filter((entry) => isWithin(entry, { baseUrl, sessionId }))
    .reverse()
    .slice(0, MAX_ENTRIES)
}

/** More than a person looks through. */
const MAX_ENTRIES = 100

/** Undefined where the settings make no sense: whoever types is about to learn it. */
async function serviceOf({ flags }: Position, context: Context): Promise<string | undefined> {
  const { loadSettings } = await import('../store/settings.ts')
  const store = await context.config({ onWarning: () => undefined })
  const typed = { profile: flags['--profile'], baseUrl: flags['--base-url'] }
  return loadSettings({ store, flags: typed, env: context.env }).then(
    ({ baseUrl }) => baseUrl.value,
    () => undefined,
  )
}

async function readConfig(context: Context) {
  return (await context.config({ onWarning: () => undefined })).read()
}

function words(values: readonly string[]): Candidate[] {
  return [...new Set(values)].map((value) => ({ value }))
}
