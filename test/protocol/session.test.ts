import { describe, expect, it } from 'vitest'
import { decodeSession, decodeSessionPage } from '../../src/protocol/session.ts'

const whole =
  '{"id":"session_1","agentId":"agent_1","agentVersion":3.0,"userId":null,"title":"T","status":"idle","createdAt":"2026-01-01T00:00:00Z","metadata":{"2":1,"1":2}}'

describe('decodeSession', () => {
  it('keeps every field and the text', () => {
    expect(decodeSession(`\n${whole}\n`)).toEqual({ session: JSON.parse(whole), raw: whole })
  })

  it('needs no more than the id, and passes an unknown status through', () => {
    expect(decodeSession('{"id":"s"}').session).toEqual({ id: 's' })
    expect(decodeSession('{"id":"s","status":"hibernating"}').session.status).toBe('hibernating')
  })

  it('writes several lines as one', () => {
    expect(decodeSession('{\n  "id": "s",\n  "n": 1.0\n}').raw).toBe('{"id": "s","n": 1.0}')
  })

  it.each(['{}', '[]', 'null', '{"id":1}'])('refuses %s', (body) => {
    expect(() => decodeSession(body)).toThrow(expect.objectContaining({ kind: 'failed' }))
  })

  it('refuses what is not JSON', () => {
    expect(() => decodeSession('<html>')).toThrow('the session is not JSON: <html>')
  })
})

describe('decodeSessionPage', () => {
  it.each([
    [`{"data":[${whole}],"nextCursor":"c"}`, 'c'],
    [`{"data":[${whole}],"nextCursor":null}`, undefined],
    [`[${whole}]`, undefined],
  ])('reads %s', (body, nextCursor) => {
    expect(decodeSessionPage(body)).toEqual({ sessions: [{ session: JSON.parse(whole), raw: whole }], nextCursor })
  })

  it('names the list when there is none', () => {
    expect(() => decodeSessionPage('{}')).toThrow('the list of sessions has no list in it')
  })
})
