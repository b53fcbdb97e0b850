import { Command, InvalidArgumentError } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { helpText, serviceExits } from './help-text.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface SessionsCreateInput extends GlobalOptions {
  readonly agent?: string | undefined
  readonly title?: string
  readonly user?: string
  readonly metadata?: Readonly<Record<string, string>>
}

export function sessionsCreateCommand(context: Context, run = runSessionsCreate): Command {
  return new Command('create')
    .description('create a session')
    .option('--agent <id>', 'its agent (default: the one of the profile)')
    .option('--title <text>', 'its title')
    .option('--user <id>', 'its user')
    .option('--metadata <key=value>', 'one entry of its metadata; may be given several times', addMetadata)
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools sessions create --agent agent_01 --title "Render the film"',
          'HERM_SESSION=$(herm-tools sessions create --agent agent_01 --metadata job=42 --json | jq -r .id)',
        ],
        exits: {
          ...serviceExits,
          done: 'created',
          usage: 'no agent was named',
          not_found: 'no such agent',
          unknown: 'a session may have been created; the hint says how to look for it',
          rejected: 'refused by the service',
        },
        related: ['sessions list', 'message', 'watch'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<SessionsCreateInput>()))
}

/** Prints the new session as the service wrote it. Throws `usage` without an agent, and as createSession does. */
async function runSessionsCreate(context: Context, input: SessionsCreateInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter, client, settings }) => {
    const [{ createSession }, { describeSession }] = await Promise.all([
      import('../session/create-session.ts'),
      import('../output/describe-sessions.ts'),
    ])
    const agentId = (await settings()).agent?.value
    if (agentId === undefined) {
      throw new HermError('usage', 'no agent was named', {
        hint: 'Name one with --agent, or with `herm-tools config set agent ID`.',
      })
    }
    const { title, user: userId, metadata } = input
    const from = { client: await client(), signal: context.signal }
    reporter.print(describeSession(await createSession(from, { agentId, title, userId, metadata })))
  })
}

function addMetadata(pair: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? []
  if (key === undefined) throw new InvalidArgumentError('It must have the form key=value.')
  return { ...before, [key]: value }
}
