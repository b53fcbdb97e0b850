import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { Verdict } from '../session/reconcile.ts'
import type { SettingFlags } from '../store/settings.ts'
import { helpText, serviceExits } from './help-text.ts'
import { parseId } from './parse-options.ts'
import { unreadableHint } from './unreadable-hint.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface ReconcileInput extends GlobalOptions, Pick<SettingFlags, 'session' | 'settle'> {
  readonly toolUseId?: string | undefined
}

export function reconcileCommand(context: Context, run = runReconcile): Command {
  return new Command('reconcile')
    .description('compare the journal with the history of its sessions, and settle what is in doubt; sends nothing')
    .summary('settle what is in doubt; sends nothing')
    .option('--tool-use-id <id>', 'only this call', parseId)
    .option('--session <id>', 'only calls of this session')
    .option('--settle <duration>', 'how long to look for a result before it counts as not accepted (default: 30s)')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools reconcile', 'herm-tools reconcile --tool-use-id custom_toolu_01 --json'],
        exits: {
          done: 'everything is settled',
          conflict: 'history has another final than the journal',
          auth: serviceExits.auth,
          not_found: 'the journal does not know the call',
          unknown: 'something could not be settled',
        },
        related: ['jobs list', 'complete'],
      }),
    )
    .action((_options: unknown, command: Command) => run(context, command.optsWithGlobals()))
}

/**
 * Prints one verdict a call. Throws `not_found` for a call that the journal does not know, `unknown` when something could
 * not be found out, `conflict` when history has another final.
 */
async function runReconcile(context: Context, input: ReconcileInput): Promise<void> {
  await inWorkspace(context, input, async (workspace) => {
    const { reporter } = workspace
    const [{ isWithin }, { reconcile }, { verdictRecord }, { deliveryTeller }] = await Promise.all([
      import('../store/which-entries.ts'),
      import('../session/reconcile.ts'),
      import('../output/verdict-record.ts'),
      import('../output/describe-delivery.ts'),
    ])
    const settings = await workspace.settings()
    const journal = await workspace.journal()
    const { toolUseId, session } = input
    const listing = toolUseId === undefined ? await journal.list() : await journal.findByToolUseId(toolUseId)
    for (const { place, reason } of listing.problems) reporter.warn(`${place} cannot be read: ${reason}`)
    const scope = { baseUrl: settings.baseUrl.value, sessionId: session }
    const entries = listing.entries.filter((entry) => isWithin(entry, scope))
    if (toolUseId !== undefined && entries.length + listing.problems.length === 0) throw notJournaled(toolUseId)
    const verdicts: Verdict[] = []
    const delivery = {
      client: await workspace.client(),
      journal,
      clock: context.clock,
      random: context.random,
      signal: context.signal,
      notify: deliveryTeller(reporter, toolUseId ?? ''),
    }
    for await (const verdict of reconcile(delivery, entries, { settleMs: settings.settleMs.value })) {
      verdicts.push(verdict)
      reporter.print(verdictRecord(verdict))
    }
    if (entries.length + listing.problems.length === 0) reporter.note('the journal has no calls to compare')
    throwWorst(verdicts, { problems: listing.problems.length, toolUseId })
  })
}

function throwWorst(
  verdicts: readonly Verdict[],
  { problems, toolUseId }: { problems: number; toolUseId: string | undefined },
): void {
  const count = (...kinds: Verdict['verdict'][]) => verdicts.filter(({ verdict }) => kinds.includes(verdict)).length
  const open = count('unknown', 'missing')
  if (open + problems > 0) {
    const gone = verdicts.find(({ isGone }) => isGone)
    const hints = [
      open > 0 && 'Run it again later.',
      gone && forgetHint(gone.entry),
      problems > 0 && unreadableHint(toolUseId),
    ]
    throw new HermError('unknown', `${open + problems} of the calls could not be settled`, {
      hint: hints.filter(Boolean).join(' '),
    })
  }
  const conflicts = count('conflict')
  if (conflicts > 0) throw new HermError('conflict', `${conflicts} of the calls have a different final in history`)
}

function forgetHint({ toolUseId, sessionId }: Verdict['entry']): string {
  return `If the service was reset, forget the call with \`herm-tools jobs forget ${shellWord(toolUseId)}\`, or all of its session with \`herm-tools jobs forget --all --session ${shellWord(sessionId)}\`.`
}

function notJournaled(toolUseId: string): HermError {
  return new HermError('not_found', `the journal does not know ${toolUseId}`, {
    hint: 'It knows the calls that this machine answered or saw; see herm-tools jobs list, or look in herm-tools events.',
  })
}
