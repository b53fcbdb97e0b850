import { describe, expect, it } from 'vitest'
import { HermError } from '../../src/errors.ts'
import { decodeEventPage, decodeListBody } from '../../src/protocol/list-body.ts'
import { byteExact } from './byte-exact.ts'

const envelope = '{"id":"evt_1","type":"agent.message","sequence":1,"payload":{"type":"agent.message"}}'

describe('decodeEventPage', () => {
  it.each<[what: string, body: string, nextCursor: string | undefined]>([
    ['data and nextCursor', `{"data":[${envelope}],"nextCursor":"c"}`, 'c'],
    ['nextCursor before data', `{"nextCursor":"c","data":[${envelope}]}`, 'c'],
    ['events', `{"events":[${envelope}],"nextCursor":"c"}`, 'c'],
    ['next_cursor', `{"data":[${envelope}],"next_cursor":"c"}`, 'c'],
    ['nextPage', `{"data":[${envelope}],"nextPage":"c"}`, 'c'],
    ['a null cursor', `{"data":[${envelope}],"nextCursor":null}`, undefined],
    ['an empty cursor', `{"data":[${envelope}],"nextCursor":""}`, undefined],
    ['a missing cursor', `{"data":[${envelope}]}`, undefined],
    ['a null cursor beside another name of it', `{"data":[${envelope}],"nextCursor":null,"next_cursor":"c"}`, 'c'],
    ['a bare array', ` [${envelope}] `, undefined],
    ['a list of another name that is no list', `{"data":null,"events":[${envelope}]}`, undefined],
  ])('reads %s', (_what, body, nextCursor) => {
    const page = decodeEventPage(body)
    expect(page.events).toEqual([{ envelope: JSON.parse(envelope), raw: envelope }])
    expect(page.nextCursor).toBe(nextCursor)
  })

  it.each(['[]', '{"data":[]}'])('reads the empty list %s', (body) => {
    expect(decodeEventPage(body)).toEqual({ events: [], nextCursor: undefined })
  })

  it.each(byteExact)('keeps the text of an event: %s', (_what, text, oneLine) => {
    expect(decodeEventPage(`{\n  "data": [\n ${text} , ${envelope}]}`).events.map(({ raw }) => raw)).toEqual([
      oneLine,
      envelope,
    ])
  })

  it.each<[body: string, message: RegExp]>([
    ['<html>\n<b>Bad gateway</b>', /the event history is not JSON: <html> <b>Bad gateway/],
    ['', /not JSON: \(empty\)/],
    ['{"data":{}}', /has no list in it/],
    ['null', /has no list in it/],
    ['"text"', /has no list in it/],
    [`[${envelope},{"id":"evt_2"}]`, /something that is no event: \{"id":"evt_2"\}/],
  ])('refuses %j', (body, message) => {
    const failure = failureOf(() => decodeEventPage(body))
    expect(failure).toMatchObject({ kind: 'failed', message: expect.stringMatching(message) })
    expect(failure.hint).not.toBe('')
  })
})

it('decodeListBody names what it read in its error', () => {
  expect(() => decodeListBody('{}', 'the list of sessions')).toThrow('the list of sessions has no list in it: {}')
})

function failureOf(act: () => unknown): HermError {
  try {
    act()
  } catch (error) {
    if (error instanceof HermError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
