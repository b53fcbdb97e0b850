import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { eventsCommand } from '../../src/commands/events.ts'
import { messageCommand } from '../../src/commands/message.ts'
import { collect, parseCount, parseSince, parseUntil, parseWait } from '../../src/commands/parse-options.ts'
import { pendingCommand } from '../../src/commands/pending.ts'
import { selectHistory } from '../../src/commands/select-history.ts'
import { oneSession } from '../../src/commands/session-action.ts'
import { waitCommand } from '../../src/commands/wait.ts'
import { watchCommand } from '../../src/commands/watch.ts'
import type { Context } from '../../src/context.ts'

test('a session may be named twice, if it is the same', () => {
  expect(oneSession('ses_1', 'ses_1')).toBe('ses_1')
  expect(oneSession(undefined, 'ses_1')).toBe('ses_1')
  expect(oneSession(undefined, undefined)).toBeUndefined()
  expect(() => oneSession('ses_1', 'ses_2')).toThrow('two sessions')
})

describe('an option', () => {
  test.each<[(text: string) => unknown, string, unknown]>([
    [parseSince, 'start', { from: 'start' }],
    [parseSince, 'now', { from: 'now' }],
    [parseSince, '0', { from: 'sequence', sequence: 0 }],
    [parseSince, '42', { from: 'sequence', sequence: 42 }],
    [parseSince, '10m', { from: 'ago', ms: 600_000 }],
    [parseSince, '1h30m', { from: 'ago', ms: 5_400_000 }],
    [parseUntil, 'idle', { what: 'idle' }],
    [parseUntil, 'type=agent.*', { what: 'type', glob: 'agent.*' }],
    [parseUntil, 'call', { what: 'call', tool: undefined }],
    [parseUntil, 'call=a=b', { what: 'call', tool: 'a=b' }],
    [parseUntil, 'result=toolu_1', { what: 'result', toolUseId: 'toolu_1' }],
    [parseWait, '300d', 300 * 86_400_000],
    [parseWait, '1.5', 1500],
    [parseCount, '0', 0],
    [parseCount, '10', 10],
  ])('%o of %j', (parse, text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  test.each<[(text: string) => unknown, string[]]>([
    [parseSince, ['', 'yesterday', '-1', '1.5.2', '10 m', '2026-01-01', '9'.repeat(16)]],
    [parseUntil, ['', 'done', 'idle=', 'type', 'type=', 'result', 'result=', 'call=', '=idle']],
    [parseWait, ['', 'soon', '0', '0s', '-1s', '1w', '366d', 'Infinity', '1e3']],
    [collect, ['', ' ']],
    [parseCount, ['', '-1', '1.5', 'ten', '1e3', '9'.repeat(10)]],
  ])('%o refuses what makes no sense', (parse, texts) => {
    for (const text of texts) expect(() => parse(text), text).toThrow(InvalidArgumentError)
  })

  test('--since or --last, or what a command does without them', () => {
    const byDefault = { from: 'now' } as const
    expect(selectHistory({}, byDefault)).toEqual({ from: 'now' })
    expect(selectHistory({ last: 0 }, byDefault)).toEqual({ from: 'last', count: 0 })
    expect(selectHistory({ since: { from: 'start' } }, byDefault)).toEqual({ from: 'start' })
  })
})

type Make = (
  context: Context,
  run: (context: Context, input: unknown) => Promise<void>,
) => ReturnType<typeof waitCommand>

test.each<[string, Make, string[], object]>([
  ['watch', watchCommand, [], { resume: false, sessions: [] }],
  [
    'watch',
    watchCommand,
    [
      'ses_1',
      '--resume',
      '--last',
      '3',
      '--type',
      'a',
      '--type',
      'b',
      '--tool',
      't',
      '--until',
      'call=t',
      '--timeout',
      '1m',
    ],
    {
      sessions: ['ses_1'],
      resume: true,
      last: 3,
      type: ['a', 'b'],
      tool: 't',
      until: { what: 'call', tool: 't' },
      timeout: 60_000,
    },
  ],
  [
    'watch',
    watchCommand,
    ['--session', 'ses_2', '--since', '5'],
    { sessions: ['ses_2'], since: { from: 'sequence', sequence: 5 } },
  ],
  ['events', eventsCommand, ['ses_1', '--type', 'a', '--type', 'b'], { session: 'ses_1', type: ['a', 'b'] }],
  ['pending', pendingCommand, ['--exit-code'], { exitCode: true }],
  [
    'wait',
    waitCommand,
    ['ses_1', '--timeout', '2h', '--exit-status'],
    { session: 'ses_1', timeout: '2h', exitStatus: true },
  ],
  ['message', messageCommand, ['ses_1', '--file', '-', '--truncate'], { session: 'ses_1', file: '-', truncate: true }],
])('%s understands its command line', async (_name, make, args, expected) => {
  const inputs: unknown[] = []
  const command = make({} as Context, async (_context, input) => void inputs.push(input))
  command.exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} })
  await command.parseAsync(args, { from: 'user' })
  expect(inputs).toEqual([expect.objectContaining(expected)])
})
