import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { Place } from '../protocol/timeline.ts'
import type { Until } from '../session/until.ts'
import { helpText } from './help-text.ts'
import { collect, parseCount, parseSince, parseUntil, parseWait } from './parse-options.ts'
import { type SelectionInput, selectHistory } from './select-history.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace, type Workspace } from './workspace.ts'

export interface WatchInput extends GlobalOptions, SelectionInput {
  readonly session?: string | undefined
  readonly resume?: boolean
  readonly type?: readonly string[]
  readonly tool?: string
  readonly until?: Until
  /** Milliseconds. */
  readonly timeout?: number
}

export function watchCommand(context: Context, run = runWatch): Command {
  return new Command('watch')
    .description('follow a session: its recent events, then what happens, through every disconnect')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .addOption(
      new Option('--since <when>', 'begin at start, now, after a sequence number, or 10m ago').argParser(parseSince),
    )
    .addOption(
      new Option('--last <n>', 'begin with the last N events (default: 10)').argParser(parseCount).conflicts('since'),
    )
    .addOption(
      new Option(
        '--resume',
        'go on where the last watch with --resume stopped; --since and --last count the first time only',
      ).default(false),
    )
    .option('--type <glob>', 'only events of this type, such as "agent.*"; may be repeated', collect)
    .option('--tool <name>', 'only what concerns calls of this tool')
    .option('--until <condition>', 'stop when: idle, type=GLOB, call[=TOOL], result=TOOL_USE_ID', parseUntil)
    .option('--timeout <duration>', 'stop after this long; exit 8 when --until is not met by then', parseWait)
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools watch ses_01',
          'herm-tools watch ses_01 --since start --type "agent.*" --json',
          'herm-tools watch --until call=render_video --timeout 10m',
          'herm-tools watch --resume --json',
        ],
        exits: {
          done: 'what --until names came, or --timeout was over without one',
          auth: 'the key was refused',
          not_found: 'there is no such session',
          timeout: 'what --until names did not come in time',
          unreachable: 'the service could not be reached',
        },
        related: ['events', 'pending', 'wait'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints the updates of a session as they come. */
async function runWatch(context: Context, input: WatchInput): Promise<void> {
  // The timeout of a watch is its own; the setting of that name is for waits.
  const { timeout: timeoutMs, ...flags } = input
  await inWorkspace(context, flags, async (workspace) => {
    const { reporter } = workspace
    const [{ watch }, { reportUpdate }] = await Promise.all([
      import('../session/watch.ts'),
      import('../output/describe-update.ts'),
    ])
    const client = await workspace.client()
    const sessionId = await workspace.session(input.session)
    const place = input.resume ? await openPlace(workspace, sessionId) : undefined
    const updates = watch({
      client,
      sessionId,
      clock: context.clock,
      random: context.random,
      signal: context.signal,
      selection: selectHistory(input, { from: 'last', count: 10 }),
      after: place?.after,
      types: input.type ?? [],
      tool: input.tool,
      until: input.until,
      timeoutMs,
      onPlace: place?.moved,
    })
    try {
      for await (const update of updates) {
        reportUpdate(reporter, update, sessionId)
        await reporter.written(context.signal)
        context.signal.throwIfAborted()
      }
    } finally {
      await place?.save()
    }
  })
}

/** The journaled place of `--resume`: where to begin, and a memory that is written at most once a second. */
async function openPlace({ journal, settings, context }: Workspace, sessionId: string) {
  const places = await journal()
  const session = { baseUrl: (await settings()).baseUrl.value, sessionId }
  let latest: Place | undefined
  let savedAt = Number.NEGATIVE_INFINITY
  const save = async () => {
    const place = latest
    latest = undefined
    if (place !== undefined) await places.writePlace(session, place)
  }
  return {
    after: await places.readPlace(session),
    async moved(place: Place): Promise<void> {
      latest = place
      if (context.clock.elapsed() - savedAt < SAVE_PAUSE_MS) return
      savedAt = context.clock.elapsed()
      await save()
    },
    save,
  }
}

/** A write is an fsync; what was printed since the last one is printed again after a kill, and nothing is left out. */
const SAVE_PAUSE_MS = 1_000
