import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { authLoginCommand } from '../../src/commands/auth-login.ts'
import { authLogoutCommand } from '../../src/commands/auth-logout.ts'
import { authStatusCommand } from '../../src/commands/auth-status.ts'
import { configGetCommand } from '../../src/commands/config-get.ts'
import { configSetCommand } from '../../src/commands/config-set.ts'
import { configUnsetCommand } from '../../src/commands/config-unset.ts'
import { emulatorCommand } from '../../src/commands/emulator.ts'
import { helpCommand } from '../../src/commands/help.ts'
import { jobsForgetCommand } from '../../src/commands/jobs-forget.ts'
import { jobsListCommand } from '../../src/commands/jobs-list.ts'
import { jobsShowCommand } from '../../src/commands/jobs-show.ts'
import { sessionsCreateCommand } from '../../src/commands/sessions-create.ts'
import { sessionsGetCommand } from '../../src/commands/sessions-get.ts'
import { sessionsListCommand } from '../../src/commands/sessions-list.ts'
import type { Context } from '../../src/context.ts'

type Make = (context: Context, run: (context: Context, input: unknown) => Promise<void>) => Command

/** Parses and does nothing: gives the input that the command would have run with. */
async function parse(make: Make, args: readonly string[]): Promise<unknown> {
  const inputs: unknown[] = []
  const command = make({} as Context, async (_context, input) => void inputs.push(input))
  command.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} })
  await command.parseAsync([...args], { from: 'user' })
  expect(inputs).toHaveLength(1)
  return inputs[0]
}

it.each<[string, Make, string[], unknown]>([
  ['auth login', authLoginCommand, [], { verify: true }],
  ['auth login', authLoginCommand, ['--with-key', '--no-verify'], { withKey: true, verify: false }],
  ['auth status', authStatusCommand, [], {}],
  ['auth logout', authLogoutCommand, [], {}],
  ['config get', configGetCommand, ['baseUrl'], { key: 'baseUrl' }],
  ['config set', configSetCommand, ['session', ' ses_1\n'], { key: 'session', value: 'ses_1' }],
  ['config set', configSetCommand, ['session', '--', '-1'], { key: 'session', value: '-1' }],
  ['config unset', configUnsetCommand, ['settle'], { key: 'settle' }],
  ['jobs list', jobsListCommand, ['--session', 'ses_1', '--open'], { session: 'ses_1', open: true }],
  ['jobs show', jobsShowCommand, ['toolu_1'], { toolUseId: 'toolu_1' }],
  [
    'jobs forget',
    jobsForgetCommand,
    ['toolu_1', '--session', 'ses_1', '--force'],
    { toolUseId: 'toolu_1', session: 'ses_1', force: true },
  ],
  [
    'sessions list',
    sessionsListCommand,
    ['--agent', 'a', '--user', 'u', '--status', 'idle', '--limit', '100', '--cursor', 'c', '--all'],
    { agent: 'a', user: 'u', status: 'idle', limit: 100, cursor: 'c', all: true },
  ],
  ['sessions get', sessionsGetCommand, ['ses_1'], { session: 'ses_1' }],
  ['sessions get', sessionsGetCommand, ['--session', 'ses_1'], { session: 'ses_1' }],
  ['sessions get', sessionsGetCommand, ['ses_1', '--session', 'ses_1'], { session: 'ses_1' }],
  [
    'sessions create',
    sessionsCreateCommand,
    ['--agent', 'a', '--metadata', 'k=v=w', '--metadata', 'empty=', '--metadata', '__proto__=x'],
    {
      agent: 'a',
      metadata: Object.fromEntries([
        ['k', 'v=w'],
        ['empty', ''],
        ['__proto__', 'x'],
      ]),
    },
  ],
  ['emulator', emulatorCommand, [], { port: 8787, host: '127.0.0.1' }],
  [
    'emulator',
    emulatorCommand,
    ['--port', '0', '--key', 'k', '--scenario', 'f.yaml', '--answer-limit', '1m30s', '--verbose'],
    { port: 0, host: '127.0.0.1', key: 'k', scenario: 'f.yaml', answerLimit: 90_000, verbose: true },
  ],
  [
    'emulator',
    emulatorCommand,
    ['--fault', 'post-cut,p=0.5', '--seed', '7', '--fault', 'stream-closed=2s'],
    { port: 8787, host: '127.0.0.1', fault: ['post-cut,p=0.5', 'stream-closed=2s'], seed: 7 },
  ],
  ['help', helpCommand, ['exit-codes'], { topic: 'exit-codes' }],
])('%s understands its command line', async (_name, make, args, input) => {
  expect(await parse(make, args)).toEqual(input)
})

it.each<[string, Make, string[], string]>([
  ['config set', configSetCommand, ['session'], "missing required argument 'value'"],
  ['jobs show', jobsShowCommand, [], "missing required argument 'tool-use-id'"],
  ['jobs forget', jobsForgetCommand, ['a', 'b'], 'too many arguments'],
  ['sessions list', sessionsListCommand, ['--limit', '0'], 'It must be a whole number from 1 to 100.'],
  ['sessions list', sessionsListCommand, ['--limit', '1e1'], 'It must be a whole number from 1 to 100.'],
  ['sessions create', sessionsCreateCommand, ['--metadata', 'novalue'], 'It must have the form key=value.'],
  ['sessions create', sessionsCreateCommand, ['--metadata', '=v'], 'It must have the form key=value.'],
  ['emulator', emulatorCommand, ['--port', '65536'], 'It must be a whole number from 0 to 65535.'],
  ['emulator', emulatorCommand, ['--answer-limit', 'soon'], 'Write a duration'],
  ['emulator', emulatorCommand, ['--seed', '-1'], 'It must be a whole number'],
])('%s refuses %s', async (_name, make, args, words) => {
  await expect(parse(make, args)).rejects.toThrow(words)
})
