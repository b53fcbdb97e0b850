import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseFault } from '../../src/emulator/fault-text.ts'
import { parseScenario } from '../../src/emulator/scenario.ts'
import { HermError } from '../../src/errors.ts'
import { startEmulator } from '../helpers/emulator.ts'
import { abyss, anyJson, oddText } from './arbitraries.ts'
import { thrownBy } from './thrown-by.ts'

const part = fc.oneof(
  fc.constantFrom('v1', 'sessions', 'ses_demo', 'events', 'stream', 'agents', 'video-agent', '_emulator', 'faults', ''),
  fc.constantFrom('..', '%2e%2e', '%', '%zz', '%00', '%ff', '__proto__', 'constructor', 'x'.repeat(500)),
)
const path = fc.oneof(
  fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  fc.constantFrom(
    '/v1/sessions/ses_demo/events',
    '/v1/agents/video-agent/sessions',
    '/_emulator/faults',
    '*',
    '//',
    '/?',
  ),
)
const query = fc.constantFrom(
  '',
  '?',
  '?limit=0',
  '?limit=1e9',
  '?limit=-1',
  '?cursor=%ff',
  '?cursor=a&cursor=b',
  '?%',
  '?a?b',
)
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH')
const headers = fc.record(
  {
    'last-event-id': fc.constantFrom('evt_1', '', '\u00ff', '-1'),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'x'),
    'x-api-key': fc.constantFrom('', 'k'),
    'content-encoding': fc.constantFrom('gzip', 'x'),
  },
  { requiredKeys: [] },
)
const event = fc.record(
  {
    type: fc.oneof(fc.constantFrom('user.message', 'user.custom_tool_result', 'user.steer', 'user.interrupt'), anyJson),
    tool_use_id: fc.oneof(fc.constant('custom_toolu_000001'), anyJson),
    content: fc.oneof(fc.constant([{ type: 'text', text: 'x' }]), anyJson),
    status: fc.oneof(fc.constantFrom('running', 'completed', 'failed'), anyJson),
    is_error: fc.oneof(fc.boolean(), anyJson),
    message: anyJson,
    later: anyJson,
  },
  { requiredKeys: ['type'] },
)
const body = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc.array(event, { maxLength: 3 }).map((events) => JSON.stringify({ events })),
  anyJson.map((value) => JSON.stringify(value)),
  fc.constantFrom('', `{"events":[{"type":"user.interrupt","x":${abyss}}]}`, `{"metadata":{"x":${abyss}}}`),
  fc.record({ faults: anyJson, seed: anyJson }).map((value) => JSON.stringify(value)),
)

it('any request is answered, and never with a failure of the emulator itself', async () => {
  const { url } = await startEmulator({ heartbeatMs: 1 })
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, body, async (...[method, path, query, headers, body]) => {
      const status = await ask(url, { method, path: path + query, headers, body })
      expect([200, 201, 202, 204, 400, 401, 404, 405, 409, 413]).toContain(status)
    }),
    { numRuns: 100 },
  )
  expect(await ask(url, { method: 'GET', path: '/v1/sessions', headers: {}, body: '' })).toBe(200)
})

const word = fc.constantFrom(
  'agents',
  'sessions',
  'faults',
  'seed',
  'a',
  'when',
  'message',
  'do',
  'say',
  'call',
  'tool',
  'if',
)
const yaml = fc.oneof(
  oddText,
  fc.json(),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('', '  ', '    ', '- ', '  - '),
        word,
        fc.constantFrom(':', ': x', ': [', ': &a', ': *a', ': |', ''),
      ),
    )
    .map((lines) => lines.map((line) => line.join('')).join('\n')),
  fc.constantFrom(
    '['.repeat(5_000),
    'a: '.repeat(3_000),
    '? [a, b]\n: c',
    '<<: 1',
    '*a',
    '&a [*a]',
    '--- a\n--- b',
    '!!binary "%"',
    '%YAML 9.9\n---\na',
    [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`),
    ].join('\n'),
    'agents: {a: [{when: message, do: [{say: x}]}]}\nsessions: [{agent: a, id: __proto__}]',
    'agents: {__proto__: []}\nsessions: [{agent: constructor}]',
  ),
)

it('any text is a scenario, or is refused with its name and a line', () => {
  fc.assert(
    fc.property(yaml, (text) => {
      const error = thrownBy(() => parseScenario(text, 'x.yaml'))
      if (error === undefined) return
      expect(error).toBeInstanceOf(HermError)
      expect(error).toMatchObject({ kind: 'usage', message: expect.stringMatching(/^x\.yaml, line \d+: \S/) })
    }),
    { numRuns: 100 },
  )
})

it('any text is a fault, or is refused', () => {
  const options = fc.array(fc.tuple(fc.constantFrom('p', 'count', 'after', 'x', ''), fc.constantFrom('=', '==', '')))
  const fault = fc
    .tuple(fc.oneof(oddText, fc.constantFrom('post-cut', 'post-late=1s', 'post-refused=400')), options, oddText)
    .map(([name, pairs, value]) => [name, ...pairs.map((pair) => pair.join('') + value)].join(','))
  fc.assert(
    fc.property(fault, (text) => {
      const error = thrownBy(() => parseFault(text))
      if (error !== undefined) expect(error).toMatchObject({ kind: 'usage', hint: expect.any(String) })
    }),
    { numRuns: 100 },
  )
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The status of the answer; the rest of it is not waited for, since a stream has no end. */
function ask(url: string, { method, path, headers, body }: Asked): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    const sent = httpRequest(url, { method, path, headers: { ...headers, ...length }, agent: false })
    sent.on('response', (answer) => {
      resolve(answer.statusCode)
      answer.on('error', () => undefined).destroy()
    })
    sent.on('error', reject).end(body)
  })
}
