import { refusal } from './refusal.ts'

/** Which part of a list is asked for. */
export interface PageQuery {
  readonly limit: number
  /** How many items of the whole list come before it. */
  readonly skip: number
}

export interface Page<T> {
  readonly items: T[]
  /** Null on the last page. A cursor may lead to an empty page, when none of the rest is kept. */
  readonly nextCursor: string | null
}

/** Reads `limit` and `cursor`. Throws the refusal `invalid_request`. */
export function pageQuery(query: URLSearchParams): PageQuery {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT)
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) {
    throw refusal('invalid_request', `limit: must be a whole number from 1 to ${MAX_LIMIT}`)
  }
  return { limit: Number(limit), skip: decodeCursor(query.get('cursor') ?? '') }
}

/** A page of those items that are to be kept. What is appended to the list meanwhile moves no page. */
export function pageOf<T>(list: readonly T[], query: PageQuery, keep: (item: T) => boolean = () => true): Page<T> {
  const items: T[] = []
  let at = query.skip
  for (; at < list.length && items.length < query.limit; at++) {
    const item = list[at] as T
    if (keep(item)) items.push(item)
  }
  return { items, nextCursor: at < list.length ? encodeCursor(at) : null }
}

/** The cursor of the first page, which a client has no need of. */
export const FIRST_CURSOR = encodeCursor(0)

/** Opaque on purpose: a client must not reckon with it. */
function encodeCursor(skip: number): string {
  return Buffer.from(`skip:${skip}`).toString('base64url')
}

function decodeCursor(cursor: string): number {
  if (cursor === '') return 0
  const [, skip] = /^skip:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (skip === undefined) throw refusal('invalid_request', 'cursor: must be the nextCursor of an earlier page')
  return Number(skip)
}

/** protocol: 1–100, 20 when it is left out. Assumed of the history too. */
const MAX_LIMIT = 100
const DEFAULT_LIMIT = 20
