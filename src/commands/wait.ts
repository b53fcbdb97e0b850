import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { helpText, sessionExits } from './help-text.ts'
import { sessionAction } from './session-action.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface WaitInput extends GlobalOptions {
  readonly session?: string | undefined
  readonly timeout?: string
  readonly exitStatus?: boolean
}

export function waitCommand(context: Context, run = runWait): Command {
  return new Command('wait')
    .description('wait until a session is idle')
    .argument('[session]', 'the session (default: HERM_SESSION or the profile)')
    .option('--session <id>', 'the session')
    .option('--timeout <duration>', 'give up after this long, such as 30s, 10m or 2h (default: 10m)')
    .option('--exit-status', 'exit 1 when the turn ended in an error')
    .addHelpText(
      'after',
      helpText({
        examples: ['herm-tools wait ses_01', 'herm-tools wait --timeout 2h --exit-status'],
        exits: {
          ...sessionExits,
          done: 'the session is idle',
          failed: 'its turn ended in an error, with --exit-status',
          timeout: 'it was not idle in time',
        },
        related: ['watch', 'pending', 'complete'],
      }),
    )
    .action(sessionAction(context, run))
}

/** Prints how the last turn ended. Throws `timeout`, and `failed` for a turn that ended in an error when asked to. */
async function runWait(context: Context, input: WaitInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, settings, client, session }) => {
    const { waitForIdle } = await import('../session/wait-for-idle.ts')
    const { describeConnection, describeTurn, turnFailure } = await import('../output/describe-session.ts')
    const { oneLine } = await import('../output/visible-text.ts')
    const { blockedTeller } = await import('../output/tell-blocked.ts')
    const { durationText } = await import('../output/duration-text.ts')
    const sessionId = await session()
    const timeoutMs = (await settings()).timeoutMs.value
    const tellBlocked = blockedTeller(reporter)
    const limit = `at most ${durationText(timeoutMs)}`
    const turn = await waitForIdle({
      client: await client(),
      sessionId,
      clock: context.clock,
      random: context.random,
      signal: context.signal,
      timeoutMs,
      onState(state) {
        tellBlocked(state, sessionId)
        reporter.waiting(`session ${sessionId}: ${describeTurn(state.turn)}; waiting for idle, ${limit}`)
      },
      onUpdate: (update) => {
        const line = describeConnection(update)
        if (line !== undefined) reporter.note(line)
      },
    })
    reporter.print({
      json: { type: 'herm_tools.idle', session_id: sessionId, stop_reason: turn.stopReason },
      isSentence: true,
      text: () => `session ${oneLine(sessionId)}: ${describeTurn(turn)}`,
    })
    const failure = turnFailure(turn.stopReason)
    if (input.exitStatus && failure !== undefined) {
      throw new HermError('failed', `the turn ended in an error: ${failure}`)
    }
  })
}
