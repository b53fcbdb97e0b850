import { describe, expect, test } from 'vitest'
import { parseScenario } from '../../src/emulator/scenario.ts'
import { HermError } from '../../src/errors.ts'
import { startEmulator } from '../helpers/emulator.ts'

function mistake(text: string): HermError {
  try {
    parseScenario(text, 'film.yaml')
  } catch (error) {
    if (error instanceof HermError) return error
    throw error
  }
  throw new Error('the scenario was accepted')
}

/** A scenario whose steps begin at line 5. */
const withSteps = (...steps: string[]) => `agents:
  a:
    - when: message
      do:
${steps.map((step) => `        - ${step}`).join('\n')}`

describe('a mistake is told with the file, the line and the place', () => {
  const cases: [string, string, string][] = [
    ['bad YAML', 'agents:\n  a: [', 'line 2: '],
    ['a key twice', 'agents: {}\nagents: {}', 'line 2: '],
    ['nothing at all', '', 'line 1: agents: expected record'],
    ['an unknown key', 'agents: {}\nsesions: []', 'line 2: sesions: there is no such key'],
    ['a rule without steps', 'agents:\n  a:\n    - when: message', 'line 3: agents.a[0].do: expected array'],
    ['an unknown trigger', 'agents:\n  a:\n    - do: []\n      when: noon', 'line 4: agents.a[0].when: '],
    [
      'a pattern',
      'agents:\n  a:\n    - when: message\n      matches: "("\n      do: []',
      'line 4: agents.a[0].matches: ',
    ],
    [
      'a tool on a message',
      'agents:\n  a:\n    - when: message\n      tool: t\n      do: []',
      'line 3: agents.a[0].when: tool and',
    ],
    ['an unknown step', withSteps('say: hi', 'shout: hi'), 'line 6: agents.a[0].do[1].shout: there is no such key'],
    [
      'two steps in one',
      withSteps('say: hi\n          wait: 2s'),
      'line 5: agents.a[0].do[0]: a step does exactly one of',
    ],
    ['no step in a step', withSteps('if: failed'), 'line 5: agents.a[0].do[0]: a step does exactly one of'],
    ['a word that is no step', withSteps('stop'), 'line 5: agents.a[0].do[0]: expected object'],
    ['deltas without say', withSteps('wait: 2s\n          deltas: true'), 'line 6: agents.a[0].do[0].deltas: '],
    ['a duration', withSteps('say: hi', 'wait: 2 days'), 'line 6: agents.a[0].do[1].wait: must be a duration'],
    ['a bare number', withSteps('wait: 2'), 'line 5: agents.a[0].do[0].wait: expected string'],
    ['a call without a tool', withSteps('call: { input: {} }'), 'line 5: agents.a[0].do[0].call.tool: '],
    [
      'a policy',
      withSteps('calls:\n          - tool: t\n            policy: ask'),
      'line 7: agents.a[0].do[0].calls[0].policy: ',
    ],
    ['no calls', withSteps('calls: []'), 'line 5: agents.a[0].do[0].calls: '],
    ['an unknown outcome', withSteps('if: done\n          say: hi'), 'line 5: agents.a[0].do[0].if: '],
    ['an unknown agent', 'agents: {}\nsessions:\n  - agent: b', 'line 3: sessions[0].agent: there is no agent b'],
    [
      'an unknown fault',
      'agents: {}\nfaults:\n  - post-cut\n  - post-cat',
      'line 4: faults[1]: there is no fault "post-cat". The faults are post-cut, ',
    ],
    ['a seed', 'agents: {}\nseed: -1', 'line 2: seed: '],
    [
      'a session twice',
      'agents: { a: [] }\nsessions:\n  - { id: x, agent: a }\n  - { id: x, agent: a }',
      'line 4: sessions[1].id: ',
    ],
  ]

  test.each(cases)('%s', (_name, text, expected) => {
    const error = mistake(text)
    expect(error.message.startsWith(`film.yaml, ${expected}`), error.message).toBe(true)
    expect([error.kind, error.hint]).toEqual(['usage', expect.stringContaining('docs/emulator.md')])
  })
})

test('what may be left out has its default', () => {
  const { agents, sessions, faults, seed } = parseScenario(withSteps('call: { tool: t }', 'end', 'wait: 1.5m'))
  expect([sessions, faults, seed]).toEqual([[], [], undefined])
  expect(agents.a?.[0]?.do).toEqual([
    { call: { tool: 't', input: {}, policy: 'always_allow' } },
    { end: true },
    { wait: 90_000 },
  ])
})

test('the faults of a scenario are in force, before those that are given besides', async () => {
  const scenario = 'agents: {}\nseed: 5\nfaults: ["post-late=2s,p=0.5,count=3"]'
  const { control } = await startEmulator({ scenario, faults: ['post-cut'] })
  expect(control.faults().seed).toBe(5)
  expect(control.faults().faults.map(({ fault }) => fault)).toEqual(['post-late=2s,p=0.5,count=3', 'post-cut'])
  const other = await startEmulator({ scenario, seed: 6 })
  expect(other.control.faults().seed).toBe(6)
})
