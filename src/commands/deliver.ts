import { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import type { ResultStatus } from '../protocol/user-events.ts'
import type { DeliveryReport } from '../session/delivery.ts'
import type { SettingFlags } from '../store/settings.ts'
import { type HelpText, helpText, serviceExits } from './help-text.ts'
import { assertCallNamed, namedCall } from './named-call.ts'
import { parseId } from './parse-options.ts'
import { readText, type TextSource } from './read-text.ts'
import { type GlobalOptions, inWorkspace, type Workspace } from './workspace.ts'

export interface DeliverInput extends GlobalOptions, SettingFlags, TextSource {
  /** Left out where a person can be asked. */
  readonly toolUseId?: string
  readonly status: ResultStatus
  /** False with `--no-resend`. */
  readonly resend?: boolean
  readonly force?: boolean
  /** What it is when this same result is recorded already. */
  readonly ifExists?: 'ok' | 'fail'
  readonly truncate?: boolean
  /** False with `--no-journal`. */
  readonly journal?: boolean
}

/** The command of one result status: `running`, `complete` and `fail` differ in nothing else. */
export function resultCommand(
  context: Context,
  {
    name,
    status,
    examples,
    related,
    run = runDeliver,
  }: { name: string; status: ResultStatus; run?: typeof runDeliver } & Required<Pick<HelpText, 'examples' | 'related'>>,
): Command {
  const command = new Command(name)
    .option('--tool-use-id <id>', 'the call to answer', parseId)
    .option('--session <id>', 'its session (default: the one where the call was seen, HERM_SESSION, or the profile)')
    .option('--text <string>', 'the text of the result')
    .option('--file <path>', 'read the text from a file, or from standard input with -')
    .option('--timeout <duration>', 'give up waiting after this long, such as 30s, 10m or 2h (default: 10m)')
    .option('--settle <duration>', 'how long to look for a result whose answer was lost (default: 30s)')
    .option('--no-resend', 'do not send again what was not accepted: exit code 6 instead')
    .addOption(
      new Option('--if-exists <end>', 'how to end when this same result is recorded already: fail is exit code 3')
        .choices(['ok', 'fail'])
        .default('ok'),
    )
    .option('--truncate', 'cut a text that is too long')
    .option('--no-journal', 'write nothing down: no guard against a run that was killed, or that runs beside this one')
    .addHelpText('after', helpText({ examples, exits: status === 'running' ? kickoffExits : finalExits, related }))
  if (status !== 'running') command.option('--force', 'send although a final is recorded, or the call was never seen')
  return command.action((_options: unknown, self: Command) => {
    const input = { ...self.optsWithGlobals<Omit<DeliverInput, 'status'>>(), status }
    assertCallNamed(context, input)
    return run(context, input)
  })
}

/** Prints one `herm_tools.result`. Throws as deliverResult does, `usage` before anything is sent or locked, and, when asked to, `conflict` for what is recorded already. */
export async function runDeliver(context: Context, input: DeliverInput): Promise<void> {
  await inWorkspace(context, input, async (given) => {
    const workspace = input.journal === false ? await withoutJournal(given) : given
    const { reporter } = workspace
    const [{ resultDigest }, { textBlocks }, { deliverResult }, { deliveryRecord, deliveryTeller }] = await Promise.all(
      [
        import('../protocol/result-digest.ts'),
        import('../protocol/text-blocks.ts'),
        import('../session/deliver-result.ts'),
        import('../output/describe-delivery.ts'),
      ],
    )
    const text = await readText(input, context)
    const content = textBlocks(text, { truncate: input.truncate ?? false })
    const settings = await workspace.settings()
    const { status } = input
    const { toolUseId, sessionId } = await namedCall(
      workspace,
      input,
      status === 'running' ? ['waiting'] : ['waiting', 'running', 'expired'],
    )
    const report = await deliverResult(
      {
        client: await workspace.client(),
        journal: await workspace.journal(),
        clock: context.clock,
        random: context.random,
        signal: context.signal,
        notify: deliveryTeller(reporter, toolUseId),
      },
      {
        key: { baseUrl: settings.baseUrl.value, sessionId, toolUseId },
        status,
        content,
        digest: resultDigest(status, content.map((block) => block.text).join('')),
        timeoutMs: settings.timeoutMs.value,
        settleMs: settings.settleMs.value,
        resend: input.resend ?? true,
        force: input.force ?? false,
      },
    )
    if (input.ifExists === 'fail' && report.outcome === 'already_recorded') throw recordedBefore(report)
    reporter.print(deliveryRecord(report))
  })
}

function recordedBefore({ key, status, eventId, recordedAt }: DeliveryReport): HermError {
  const as = eventId === undefined ? '' : ` as ${eventId}`
  const at = recordedAt === undefined ? '' : `, at ${recordedAt}`
  return new HermError('conflict', `this ${status} result is already recorded for ${key.toolUseId}${as}${at}`, {
    hint: 'Nothing was sent. Without --if-exists fail this is success.',
  })
}

async function withoutJournal(workspace: Workspace): Promise<Workspace> {
  const { memoryJournal } = await import('../store/memory-journal.ts')
  const journal = memoryJournal(workspace.context)
  workspace.reporter.warn(
    'nothing is written down: if this run is killed, or another one runs beside it, the result may be accepted twice',
  )
  return { ...workspace, journal: async () => journal }
}

const kickoffExits = {
  ...serviceExits,
  done: 'the kickoff is accepted, or was recorded before',
  usage: 'the text or an option is wrong; nothing was sent',
  not_found: 'the session has no such call',
  unknown: 'it may have been accepted; run the same command again',
  conflict: 'this kickoff was recorded before, with --if-exists fail',
  rejected: 'the call takes no kickoff any more',
  timeout: 'it could not be sent in time; nothing that this run sent was accepted',
} as const

const finalExits = {
  ...serviceExits,
  done: 'the result is accepted, or this same result was recorded before',
  usage: 'the text or an option is wrong; nothing was sent',
  conflict: 'a different final is recorded for this call; with --if-exists fail, also this same one',
  not_found: 'the session has no such call',
  unknown: 'it may have been accepted; run the same command again',
  rejected: 'the call waits for an approval, was denied or never made, or the service refused the result',
  timeout: 'the session was not idle in time; nothing that this run sent was accepted',
} as const
