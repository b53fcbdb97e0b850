import { stripVTControlCharacters } from 'node:util'
import { Chalk } from 'chalk'
import { describe, expect, it } from 'vitest'
import { createConversation } from '../../src/output/conversation.ts'
import type { Look } from '../../src/output/look.ts'
import { isSpoken } from '../../src/output/session-talk.ts'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { createSessionFold } from '../../src/protocol/session-fold.ts'
import type { FollowUpdate } from '../../src/session/follow.ts'
import { blocked, call, final, idle, kickoff, said } from '../helpers/session-events.ts'
import { event, patchOf, result, timeAt } from '../protocol/session-log.ts'

const START = Date.parse(timeAt(0))

function look(seconds = 0, level: 0 | 1 = 0): Look {
  return { style: new Chalk({ level }), width: 72, now: START + seconds * 1000, frame: 0 }
}

/** The view of one session, told of its events as `watch` tells it. */
function view() {
  const conversation = createConversation({ several: false })
  const fold = createSessionFold()
  conversation.join('s', { ...fold, calls: () => [...fold.state().calls.values()] })
  const printed: string[] = []
  const tell = (update: FollowUpdate) => {
    for (const scene of conversation.add(update, 's')) printed.push(...scene(look()))
  }
  return {
    printed,
    tell,
    /** Happens now. */
    live(...events: RawEvent[]) {
      for (const event of events) {
        fold.add(event.envelope)
        tell({ kind: 'event', event })
      }
    },
    /** Was there before: the session knows all of it already, and `shown` of it is told. */
    past(events: RawEvent[], shown = events) {
      for (const { envelope } of events) fold.add(envelope)
      for (const event of shown) tell({ kind: 'event', event })
      tell({ kind: 'caught_up' })
    },
    open: (seconds = 0, rows = 24) => conversation.open(look(seconds), rows).slice(0, -1),
    status: (width = 72) => conversation.open({ ...look(), width }, 24).at(-1),
    coloured: (seconds: number) => conversation.open(look(seconds, 1), 24).join('\n'),
    last: () => conversation.last(look()),
  }
}

const words = (lines: readonly string[]) => lines.filter((line) => line !== '' && !line.startsWith('──'))

describe('the last line', () => {
  it('says what the session is doing, and what it waits for', () => {
    const { live, past, status } = view()
    expect(status()).toBe('· s · connecting · Ctrl-C to leave')
    past([])
    expect(status()).toBe('· s · nothing yet · Ctrl-C to leave')
    live(event(1, 'agent.approval_request', { tool_use_id: 'call_1', name: 'deploy' }), blocked(2))
    expect(status()).toBe('· s · waiting for approval · Ctrl-C to leave')
    live(event(3, 'user.tool_confirmation', { tool_use_id: 'call_1', result: 'allow' }), call(4), blocked(5))
    expect(status()).toBe('· s · waiting for an answer · Ctrl-C to leave')
    live(idle(6))
    expect(status()).toBe('· s · idle · Ctrl-C to leave')
  })

  it('says how to leave where there is room for it', () => {
    const { past, status } = view()
    past([idle(1)])
    expect(status('· s · idle · Ctrl-C to leave'.length)).toBe('· s · idle · Ctrl-C to leave')
    expect(status('· s · idle · Ctrl-C to leave'.length - 1)).toBe('· s · idle')
  })
})

describe('a call', () => {
  it('is open until it is done, and then printed once', () => {
    const { live, past, open, printed } = view()
    past([])
    live(call(1), blocked(2))
    expect(words(open(10))).toEqual([
      '? render  p: 1',
      '  waits for an answer, 4:51 left',
      "  herm-tools running --session s --tool-use-id call_1 --text 'Started.'",
      '  herm-tools complete --session s --tool-use-id call_1 --file result.txt',
    ])
    live(kickoff(3))
    expect(words(open(70))).toEqual(['⠋ render  p: 1', '  running for 1:07 · begun'])
    expect(words(printed)).toEqual([])
    live(
      patchOf(event(3, 'user.custom_tool_result', result('call_1', 'completed', 'done'), { processedAt: timeAt(90) })),
    )
    live(final(3))
    expect(words(printed)).toEqual(['✓ render  p: 1', '  completed after 1m29s · done'])
    expect(words(open())).toEqual([])
  })

  it('hurries when its time runs out', () => {
    const { live, past, coloured, open } = view()
    past([])
    live(call(1), blocked(2))
    expect(coloured(100)).toContain('\u001b[2m, 3:21 left')
    expect(coloured(200)).toContain('\u001b[33m, 1:41 left')
    expect(coloured(280)).toContain('\u001b[31m, 0:21 left')
    expect(open(310)[2]).toBe('  waits for an answer, 0:09 past its time')
  })

  it('ends as expired or denied as well', () => {
    const { live, past, printed } = view()
    past([])
    const asked = { tool_use_id: 'call_2', name: 'deploy', input: 'now' }
    live(call(1), blocked(2), said(3), event(4, 'agent.approval_request', asked))
    live(event(5, 'user.tool_confirmation', { tool_use_id: 'call_2', result: 'deny', deny_message: 'Not\ntoday.' }))
    expect(words(printed)).toEqual([
      'agent  hello',
      '! render  p: 1',
      '  expired; the turn went on without an answer',
      '✗ deploy  now',
      '  denied · Not today.',
    ])
  })

  it('that is answered after it expired is open again, and has its input still', () => {
    const { live, past, open } = view()
    past([])
    live(call(1), blocked(2), said(3), kickoff(4))
    expect(words(open(64))).toEqual(['⠋ render  p: 1', '  running for 1:00 · begun'])
  })

  it('is over when its turn is ended without an answer, as by an interrupt', () => {
    const { live, past, printed } = view()
    past([])
    live(call(1), blocked(2), event(3, 'user.interrupt', { message: 'Stop it.' }), idle(4), event(5, 'user.interrupt'))
    expect(words(printed)).toEqual([
      'interrupt  Stop it.',
      '! render  p: 1',
      '  over; the turn ended without an answer',
      'interrupt',
    ])
  })

  it('that was open before what is shown is open still, and one that was done is done where it was', () => {
    const history = [call(1), kickoff(2), event(3, 'agent.custom_tool_use', { tool_use_id: 'call_2', name: 'cut' })]
    const later = [...history, event(4, 'user.custom_tool_result', result('call_2', 'failed', 'no')), said(5, 'Pity.')]
    const { past, printed, open } = view()
    past(later, later.slice(2))
    expect(words(printed)).toEqual(['✗ cut', '  failed after 1s · no', 'agent  Pity.'])
    expect(words(open(2))).toEqual(['⠋ render  p: 1', '  running for 0:00'])
  })

  it('that another result is sent for is told of again', () => {
    const { past, live, printed } = view()
    past([call(1), final(2)])
    live(idle(3), event(4, 'user.custom_tool_result', result('call_1', 'failed', 'after all')))
    expect(words(printed).slice(2)).toEqual(['✗ render', '  failed after 3s · after all'])
  })
})

describe('a message', () => {
  const part = (sequence: number, delta: unknown, content: string) =>
    event(sequence, 'agent.message', { delta, content: [{ type: 'text', text: content }] })

  it('grows in whatever way it is sent, and is printed when it is whole', () => {
    const { live, past, open, printed } = view()
    past([])
    live(part(1, true, 'One '), part(2, 'two ', ''), part(3, { text: 'three' }, ''))
    expect(words(open())).toEqual(['agent  One two three'])
    live(said(4, 'One two three.'))
    const growing = (text: string) =>
      event(5, 'agent.message', { content: [{ type: 'text', text }] }, { status: 'in_progress' })
    live(growing('Four'), growing('Four five'))
    expect(words(open())).toEqual(['agent  Four five'])
    live(said(5, 'Four five.'))
    expect(words(open())).toEqual([])
    expect(words(printed)).toEqual(['agent  One two three.', 'agent  Four five.'])
  })

  it('that never comes as a whole is printed as far as it came, at the end of the turn', () => {
    const { live, past, printed, last } = view()
    past([])
    live(part(1, true, 'I was say'))
    expect(last()).toEqual(['agent  I was say'])
    live(idle(2, { type: 'error', message: 'it broke' }))
    expect(words(printed)).toEqual(['agent  I was say', 'error  the turn ended: it broke'])
  })

  it('keeps its lines and their indentation, and shows none of what would drive a terminal', () => {
    const { live, past, printed } = view()
    past([])
    live(said(1, `A list:\n  - ${'word '.repeat(16)}\n\tcode\u001b[2J\u001b]0;x\u0007`))
    expect(words(printed)).toEqual([
      'agent  A list:',
      '         - word word word word word word word word word word word word',
      '         word word word word',
      '           code]0;x',
    ])
  })
})

it('sets turns apart, and is silent about the rest of what a session says of itself', () => {
  const { live, past, printed } = view()
  past([])
  live(event(1, 'user.message', { content: 'a' }), event(2, 'session.status_running'), said(3, 'b'), idle(4))
  live(event(5, 'session.renamed', { title: 'x' }), event(6, 'user.message', { content: 'c' }))
  expect(printed.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
    '',
    '── TIME ───────────────────────────',
    'user   a',
    'agent  b',
    'session.renamed  {"type":"session.renamed","title":"x"}',
    '',
    '── TIME ───────────────────────────',
    'user   c',
  ])
})

describe('of the connection', () => {
  const reconnected = (recovered: number, downMs: number): FollowUpdate => ({
    kind: 'reconnected',
    reason: 'lost',
    downMs,
    afterSequence: 1,
    recovered,
  })

  it.each<[recovered: number, downMs: number, told: string[]]>([
    [0, 900, []],
    [0, 5_000, ['connected again after 5.0 s; nothing was missed']],
    [1, 900, ['connected again after 0.9 s; 1 event above came meanwhile']],
    [19, 5_000, ['connected again after 5.0 s; 19 events above came meanwhile']],
  ])('it tells of %i missed in %i ms', (recovered, downMs, told) => {
    const { past, tell, printed } = view()
    past([])
    tell(reconnected(recovered, downMs))
    expect(printed).toEqual(told)
  })

  it.each([30, 40, 80])('all is to be read at %i columns, what matters first', (columns) => {
    const conversation = createConversation({ several: true })
    const fold = createSessionFold()
    const at = { ...look(), width: columns - 1 }
    conversation.join('ses_with_a_long_id', { ...fold, calls: () => [] })
    const reason = 'GET /v1/sessions/ses_with_a_long_id/events/stream failed: refused (ECONNREFUSED)'
    conversation.add({ kind: 'disconnected', reason, pauseMs: 500 }, 'ses_with_a_long_id')
    const status = conversation.open(at, 10)
    expect(status[0]).toMatch(/^! connection lost/)
    expect(status.join('').replace(/\s/g, '')).toContain(reason.replace(/\s/g, ''))
    const [scene] = conversation.add(reconnected(19, 5_000), 'ses_with_a_long_id')
    const note = scene?.(at) ?? []
    expect(note.join(' ')).toContain('19 events above came meanwhile')
    for (const line of [...status, ...note]) expect(line.length).toBeLessThan(columns)
  })
})

it('counts as shown what it shows', () => {
  const error = { type: 'error', message: 'it broke' }
  const events = [said(1), event(2, 'agent.message', { delta: true }), idle(3), blocked(4), idle(5, error), call(6)]
  expect(events.filter(isSpoken).map(({ envelope }) => envelope.sequence)).toEqual([1, 5, 6])
})

it('names a session whole where there is room, and by its end elsewhere', () => {
  const conversation = createConversation({ several: true })
  const id = 'ses_0123456789abcde'
  conversation.join(id, { ...createSessionFold(), calls: () => [] })
  conversation.add({ kind: 'caught_up' }, id)
  const [scene] = conversation.add({ kind: 'event', event: event(1, 'user.interrupt') }, id)
  expect(scene?.({ ...look(), width: 79 })).toEqual([`${id}  interrupt`])
  expect(scene?.({ ...look(), width: 40 })).toEqual(['…6789abcde  interrupt'])
})

it.each([0, 1] as const)('shows no command without its end where rows are few, with colours of level %i', (level) => {
  const conversation = createConversation({ several: false })
  const fold = createSessionFold()
  const calls = [1, 2].map((at) => event(at, 'agent.custom_tool_use', { tool_use_id: `${'call_'.repeat(9)}${at}` }))
  for (const { envelope } of calls) fold.add(envelope)
  conversation.join('s', { ...fold, calls: () => [...fold.state().calls.values()] })
  conversation.add({ kind: 'caught_up' }, 's')
  /** Each line that goes on, with the one after it. */
  const continued = (rows: number) => {
    const lines = conversation.open({ ...look(0, level), width: 39 }, rows).map(stripVTControlCharacters)
    return lines.flatMap((line, at) => (line.endsWith('\\') ? [`${line}\n${lines[at + 1]}`] : []))
  }
  expect(continued(40).length).toBeGreaterThan(8)
  for (let rows = 1; rows < 40; rows++) expect(continued(40)).toEqual(expect.arrayContaining(continued(rows)))
})

it('has room for as many whole cards as there are rows, and for the end of what is said', () => {
  const { live, past, open } = view()
  past([])
  for (const at of [1, 2, 3])
    live(event(at, 'agent.custom_tool_use', { tool_use_id: `call_${at}`, name: `tool_${at}` }))
  live(event(4, 'agent.message', { delta: true, content: 'one\ntwo\nthree\nfour\nfive' }))
  const heads = (rows: number) => open(5, rows).filter((line) => /^\S|^ {7}/.test(line))
  expect(heads(24)).toEqual([
    'agent  one',
    '       two',
    '       three',
    '       four',
    '       five',
    '? tool_1',
    '? tool_2',
    '? tool_3',
  ])
  expect(heads(12)).toEqual(['       two', '       three', '       four', '       five', '? tool_1', '… and 2 more'])
  for (let rows = 1; rows < 30; rows++) expect(open(5, rows).length).toBeLessThan(rows)
})
