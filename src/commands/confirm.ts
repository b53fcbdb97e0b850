import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { HermError, isEndByUser } from '../errors.ts'
import type { ToolCall } from '../protocol/tool-call.ts'
import type { Verdict } from '../protocol/user-events.ts'
import type { SettingFlags } from '../store/settings.ts'
import { endedEarly, isOfOneCall, throwWorst } from './failures-of-calls.ts'
import { type HelpText, helpText, serviceExits } from './help-text.ts'
import { assertCallNamed, namedCall } from './named-call.ts'
import { parseId } from './parse-options.ts'
import { type GlobalOptions, inWorkspace, type Workspace } from './workspace.ts'

export interface ConfirmInput extends GlobalOptions, Pick<SettingFlags, 'session' | 'settle'> {
  readonly verdict: Verdict
  readonly toolUseId?: string
  readonly all?: boolean
  /** Of a denial: why. */
  readonly message?: string
}

/** The command of one verdict: `approve` and `deny` differ in little else. */
export function confirmCommand(
  context: Context,
  {
    name,
    verdict,
    examples,
    run = runConfirm,
  }: { name: string; verdict: Verdict; run?: typeof runConfirm } & Pick<HelpText, 'examples'>,
): Command {
  return new Command(name)
    .option('--tool-use-id <id>', 'the call to answer', parseId)
    .addOption(new Option('--all', 'every call of the session that awaits approval').conflicts('toolUseId'))
    .option('--session <id>', 'the session (default: the one where the call was seen, HERM_SESSION, or the profile)')
    .option('--settle <duration>', 'how long to look for an answer that got lost (default: 30s)')
    .addHelpText('after', helpText({ examples, exits, related: ['pending', 'running', 'complete'] }))
    .action((_options: unknown, self: Command) => {
      const input = { ...self.optsWithGlobals<Omit<ConfirmInput, 'verdict'>>(), verdict }
      if (!input.all) assertCallNamed(context, input, ALL_HINT)
      return run(context, input)
    })
}

/**
 * Prints one `herm_tools.confirmation` a call. Throws as confirmCall does; of several calls every one is tried, also when
 * nobody reads any more what is printed, and the worst failure is thrown. A service that is busy ends it: what is left is
 * named, and not sent into the rate limit.
 */
export async function runConfirm(context: Context, input: ConfirmInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { reporter, client, journal, settings } = workspace
    const [{ confirmCall }, { rememberCalls }, { confirmationRecord }] = await Promise.all([
      import('../session/confirm-call.ts'),
      import('../session/remember-calls.ts'),
      import('../output/confirmation-record.ts'),
    ])
    const { verdict, message } = input
    const { sessionId, calls } = input.all ? await everyCall(workspace) : await oneCall(workspace, input)
    const { baseUrl, settleMs } = await settings()
    const source = {
      client: await client(),
      clock: context.clock,
      signal: endedByUser(context.signal),
      onSettling: (reason: string) => reporter.waiting(`${reason}; looking for the answer in the history`),
    }
    const failures: HermError[] = []
    let end: HermError | undefined
    let accepted = 0
    for (const [index, call] of calls.entries()) {
      try {
        const confirmation = { sessionId, verdict, denyMessage: message, settleMs: settleMs.value }
        const report = await confirmCall(source, call, confirmation)
        if (report.outcome === 'accepted') accepted++
        reporter.print(confirmationRecord(report))
      } catch (error) {
        if (!(error instanceof HermError)) throw error
        if (!isOfOneCall(error)) {
          end = endedEarly(error, { accepted, left: calls.slice(index) })
          break
        }
        failures.push(error)
      }
    }
    // An approved call is about to be asked for: a later command need not name its session.
    if (verdict === 'allow') {
      const session = { baseUrl: baseUrl.value, sessionId }
      await rememberCalls(calls, { journal: await journal(), session, onFailure: (text) => reporter.warn(text) })
    }
    throwWorst({ failures, end }, (text) => reporter.warn(text))
  })
}

async function oneCall(workspace: Workspace, input: ConfirmInput): Promise<{ sessionId: string; calls: ToolCall[] }> {
  const { findCall } = await import('../session/find-call.ts')
  const { sessionId, toolUseId } = await namedCall(workspace, input, ['awaiting_approval'])
  const { clock, signal } = workspace.context
  const state = await findCall({ client: await workspace.client(), sessionId, clock, signal }, toolUseId)
  const call = state.calls.get(toolUseId)
  return { sessionId, calls: call === undefined ? [] : [call] }
}

async function everyCall({ context, reporter, client, session }: Workspace) {
  const { readSessionState } = await import('../session/read-history.ts')
  const sessionId = await session()
  const state = await readSessionState({ client: await client(), sessionId, signal: context.signal })
  const calls = [...state.calls.values()].filter((call) => call.state === 'awaiting_approval')
  if (calls.length === 0) reporter.note(`session ${sessionId} has no call that awaits approval`)
  return { sessionId, calls }
}

/**
 * Aborts when the user ends the run. Without a reader, or room, for what is printed, the calls that are left are answered
 * all the same: what was asked for is not done by half because of where it was to be told.
 */
function endedByUser(signal: AbortSignal): AbortSignal {
  const stop = new AbortController()
  const follow = () => {
    if (signal.reason instanceof HermError && isEndByUser(signal.reason)) stop.abort(signal.reason)
  }
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return stop.signal
}

const ALL_HINT = 'Name the call, or answer every one that awaits approval with --all.'

const exits = {
  ...serviceExits,
  done: 'it is accepted, or was answered in this way before; with --all, also when nothing awaits approval',
  usage: 'no call was named',
  conflict: 'it was answered the other way',
  not_found: 'the session has no such call',
  unknown: 'it may have been accepted; run the same command again',
  rejected: 'the call awaits no approval, or no longer',
} as const
