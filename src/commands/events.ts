import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { RawEvent } from '../protocol/envelope.ts'
import { helpText, sessionExits } from './help-text.ts'
import { collect, parseCount, parseId, parseSince } from './parse-options.ts'
import { type SelectionInput, selectHistory } from './select-history.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface EventsInput extends GlobalOptions, SelectionInput {
  readonly session?: string | undefined
  readonly type?: readonly string[]
  readonly tool?: string
}

export function eventsCommand(context: Context, run = runEvents): Command {
  return new Command('events')
    .description('print the history of a session, oldest first')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .addOption(
      new Option(
        '--since <when>',
        'begin at start, now, after a sequence number, or 10m ago (default: start)',
      ).argParser(parseSince),
    )
    .addOption(
      new Option('--last <n>', 'only the last N of the events that match').argParser(parseCount).conflicts('since'),
    )
    .option('--type <glob>', 'only events of this type, such as "agent.*"; may be repeated', collect)
    .option('--tool <name>', 'only what concerns calls of this tool', parseId)
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools events ses_01 --last 20', 'herm-tools events ses_01 --since 1h --type "user.*" --json'],
        exits: { ...sessionExits, done: 'the history was printed' },
        related: ['watch', 'pending'],
      }),
    )
    .action(sessionAction(context, run))
}

async function runEvents(context: Context, input: EventsInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, client, session }) => {
    const [{ inOrder, readHistory }, { createHistorySelector }, { createEventFilter }, { describeEvent }, { isLine }] =
      await Promise.all([
        import('../session/read-history.ts'),
        import('../session/history-selection.ts'),
        import('../session/event-filter.ts'),
        import('../output/describe-event.ts'),
        import('../output/describe-update.ts'),
      ])
    const service = await client()
    const sessionId = await session()
    const events = inOrder(await readHistory({ client: service, sessionId, signal: context.signal }))
    const passes = createEventFilter({ types: input.type ?? [], tool: input.tool })
    const selection = createHistorySelector(selectHistory(input, { from: 'start' }), service)
    const isWanted = (event: RawEvent) => passes(event) && (reporter.isJson || isLine(event))
    const wanted = [...events.filter(isWanted).flatMap((event) => [...selection.take(event)]), ...selection.end()]
    for (const event of wanted) {
      reporter.print({ json: event.raw, text: (style) => describeEvent(event, style) })
    }
  })
}
