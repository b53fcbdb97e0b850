import { describe, expect, it } from 'vitest'
import { decodeErrorBody } from '../../src/protocol/error-body.ts'

describe('decodeErrorBody', () => {
  it.each<[body: string, code: string | undefined, message: string | undefined]>([
    ['{"error":{"code":"invalid_state","message":"A turn runs."}}', 'invalid_state', 'A turn runs.'],
    ['{"error":{"type":"invalid_state","message":"A turn runs."}}', 'invalid_state', 'A turn runs.'],
    ['{"error":{"code":"a","type":"b"}}', 'a', undefined],
    ['{"type":"error","error":{"type":"invalid_state","message":"m"}}', 'invalid_state', 'm'],
    ['{"code":"invalid_state","message":"A turn runs."}', 'invalid_state', 'A turn runs.'],
    ['{"type":"invalid_state","message":"m"}', 'invalid_state', 'm'],
    ['{"error":"invalid_state","message":"A turn runs."}', 'invalid_state', 'A turn runs.'],
    ['{"error":"invalid_state"}', 'invalid_state', undefined],
    ['{"error":{"message":"m"}}', undefined, 'm'],
    ['{"error":{"code":409,"message":"m"}}', undefined, 'm'],
    ['{"message":"two\\n  lines\\u001b[31m"}', undefined, 'two lines [31m'],
    ['{"detail":"No such session"}', undefined, '{"detail":"No such session"}'],
    ['["broken"]', undefined, '["broken"]'],
    ['"broken"', undefined, '"broken"'],
    ['upstream connect error', undefined, 'upstream connect error'],
    ['', undefined, undefined],
    [' \n', undefined, undefined],
    [
      '<!doctype html>\n<html><head><style>b { color: red }</style><title>502 Bad Gateway</title></head>\n<body>Try later</body>',
      undefined,
      '502 Bad Gateway Try later',
    ],
    [`<html>${'\n    <meta>'.repeat(100)}<p>Bad gateway`, undefined, 'Bad gateway'],
    [`<title>502</title>${'\n    <meta>'.repeat(100)}<p>Bad gateway`, undefined, '502 Bad gateway'],
    ['<html></html>', undefined, '(empty)'],
  ])('reads %j', (body, code, message) => {
    expect(decodeErrorBody(body)).toEqual({ code, message })
  })

  it.each(['<', '<style>', '<style', '</style', '<script><'])(
    'takes a megabyte of %j in a moment',
    (piece) => {
      decodeErrorBody(piece.repeat(1_000_000 / piece.length))
    },
    1_000,
  )

  it('cuts a long message', () => {
    const { message } = decodeErrorBody(JSON.stringify({ message: 'long '.repeat(1000) }))
    expect(message?.length).toBeLessThan(130)
    expect(message).toMatch(/…$/)
  })
})
