import { describe, expect, it } from 'vitest'
import { decodeAccepted } from '../../src/protocol/accepted-body.ts'
import { byteExact } from './byte-exact.ts'

const first = '{"id":"evt_1","type":"user.message","sequence":1,"payload":{"type":"user.message"}}'
const second = '{"id":"evt_2","type":"user.message","sequence":2,"payload":{"type":"user.message"}}'

describe('decodeAccepted', () => {
  it.each<[what: string, body: string, raws: string[]]>([
    ['events, in their order', `{"events":[${second},${first}]}`, [second, first]],
    ['data', `{"data":[${first}]}`, [first]],
    ['a bare envelope', `\n${first}\n`, [first]],
    ['a bare array', `[${first},${second}]`, [first, second]],
    ['a list in which something is no envelope', `{"events":[{"id":"evt_0"},${first}]}`, [first]],
    ['an empty body', '', []],
    ['a blank body', ' \r\n', []],
    ['an empty list', '{"events":[]}', []],
    ['an object without an envelope', '{"ok":true}', []],
    ['null', 'null', []],
    ['a string', '"accepted"', []],
  ])('reads %s', (_what, body, raws) => {
    const accepted = decodeAccepted(body)
    expect(accepted?.map(({ raw }) => raw)).toEqual(raws)
    expect(accepted?.map(({ envelope }) => envelope)).toEqual(raws.map((raw) => JSON.parse(raw)))
  })

  it.each(['<html>', '{"events":[', 'Accepted'])('does not know what %j says', (body) => {
    expect(decodeAccepted(body)).toBeUndefined()
  })

  it.each(byteExact)('keeps the text of an event: %s', (_what, text, oneLine) => {
    expect(decodeAccepted(`{"events": [ ${text} ]}`)?.map(({ raw }) => raw)).toEqual([oneLine])
    expect(decodeAccepted(text)?.map(({ raw }) => raw)).toEqual([oneLine])
  })
})
