import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import type { Until } from '../session/until.ts'
import { helpText, sessionExits } from './help-text.ts'
import { collect, parseCount, parseId, parseSince, parseUntil, parseWait } from './parse-options.ts'
import { openPlaces } from './resume-places.ts'
import { type SelectionInput, selectHistory } from './select-history.ts'
import { type GlobalOptions, inWorkspace, type Workspace } from './workspace.ts'

export interface WatchInput extends GlobalOptions, SelectionInput {
  readonly sessions: readonly string[]
  readonly agent?: string
  readonly resume?: boolean
  readonly type?: readonly string[]
  readonly tool?: string
  readonly until?: Until
  /** Milliseconds. */
  readonly timeout?: number
}

export function watchCommand(context: Context, run = runWatch): Command {
  return new Command('watch')
    .description('follow sessions: their recent events, then what happens, through every disconnect')
    .summary('follow sessions as things happen')
    .argument('[session...]', 'the sessions (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'a session', parseId)
    .option('--agent <id>', 'all sessions of this agent, new ones as they come', parseId)
    .addOption(
      new Option('--since <when>', 'begin at start, now, after a sequence number, or 10m ago').argParser(parseSince),
    )
    .addOption(
      new Option('--last <n>', 'begin with the last N events of each session (default: 10)')
        .argParser(parseCount)
        .conflicts('since'),
    )
    .addOption(
      new Option(
        '--resume',
        'go on where the last watch with --resume stopped (after kill -9, about a second of it may come again); --since and --last count the first time only',
      ).default(false),
    )
    .option('--type <glob>', 'only events of this type, such as "agent.*"; may be repeated', collect)
    .option('--tool <name>', 'only what concerns calls of this tool', parseId)
    .option('--until <condition>', 'stop when: idle, type=GLOB, call[=TOOL], result=TOOL_USE_ID', parseUntil)
    .option('--timeout <duration>', 'stop after this long; exit 8 when --until is not met by then', parseWait)
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools watch ses_01',
          'herm-tools watch ses_01 --since start --type "agent.*" --json',
          'herm-tools watch --until call=render_video --timeout 10m',
          'herm-tools watch --agent agent_01',
          'herm-tools watch --resume --json',
        ],
        exits: {
          ...sessionExits,
          done: 'what --until names came, or --timeout was over without one',
          timeout: 'what --until names did not come in time',
        },
        related: ['events', 'pending', 'wait'],
      }),
    )
    .action((named: string[], _options: unknown, self: Command) => {
      const { session, ...options } = self.optsWithGlobals<Omit<WatchInput, 'sessions'> & { session?: string }>()
      return run(context, { ...options, sessions: [...new Set([...named, ...(session ? [session] : [])])] })
    })
}

/** Prints the updates of the sessions as they come. Throws as watchSessions does. */
async function runWatch(context: Context, input: WatchInput): Promise<void> {
  // The timeout of a watch is its own; the setting of that name is for waits.
  const { timeout: timeoutMs, ...flags } = input
  await inWorkspace(context, flags, async (workspace) => {
    const { reporter } = workspace
    const sessions = await chosenSessions(workspace, input)
    const [{ watchSessions }, { openWatchView }, { reportSessions }] = await Promise.all([
      import('../session/watch-sessions.ts'),
      import('../output/watch-view.ts'),
      import('../output/describe-watch.ts'),
    ])
    const places = input.resume ? await openPlaces(workspace) : undefined
    const client = await workspace.client()
    const view = await openWatchView({
      reporter,
      clock: context.clock,
      serviceNow: client.serviceNow,
      signal: context.signal,
      onStop: context.onStop,
      several: 'agentId' in sessions || sessions.length > 1,
    })
    const watched = watchSessions({
      client,
      sessions,
      clock: context.clock,
      random: context.random,
      signal: context.signal,
      selection: selectHistory(input, { from: 'last', count: 10 }),
      placeOf: places?.open,
      types: input.type ?? [],
      tool: input.tool,
      until: input.until,
      timeoutMs,
      isShown: view.isShown,
      onStart: view.join,
      notify: (note) => reportSessions(reporter, note),
    })
    const written = async () => {
      await reporter.written(context.signal)
      context.signal.throwIfAborted()
      await places?.written()
    }
    try {
      let shown = 0
      for await (const { updates, sessionId } of watched) {
        for (const update of updates) {
          // A batch may be a whole history. What was shown before this update counts as handled now, and is not shown again.
          if (++shown % UPDATES_AT_ONCE === 0) await written()
          view.show(update, sessionId)
        }
        await written()
      }
    } finally {
      if (context.signal.reason instanceof HermError) view.left()
      await places?.end()
    }
  })
}

/** Throws `usage` for sessions beside an agent, and when nothing tells a session. */
async function chosenSessions(workspace: Workspace, { sessions, agent }: WatchInput) {
  if (agent === undefined) return sessions.length === 0 ? [await workspace.session()] : sessions
  if (sessions.length === 0) return { agentId: agent }
  throw new HermError('usage', '--agent is for all sessions of the agent, and sessions are named beside it', {
    hint: 'Leave one of the two out.',
  })
}

/** Between two looks at whether the reader of stdout keeps up, and at Ctrl-C. */
const UPDATES_AT_ONCE = 500
