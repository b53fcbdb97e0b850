import { callTail, openCalls, PAST_PAGE_EVENTS, pastPage } from './histories.mjs'
import { flood, paced } from './streams.mjs'

/**
 * What the ids of sessions mean. Each has `page(index)`, a page of its history as a body, and may have `play(response)`,
 * which writes to a stream that was opened.
 *
 * - `ses_idle_EVENTS_N`: EVENTS of the past, a multiple of 100, then a call `custom_toolu_N` that was answered with
 *   `running`, and idle.
 * - `ses_open_CALLS_N`: as many calls that were answered with `running`, and idle.
 * - `ses_flood_EVENTS`: an empty history; its stream gives the events as fast as they are taken, the last a `bench.end`.
 * - `ses_paced_RATE_EVENTS`: the same with RATE events a second, each of which says when it was sent.
 */
const kinds = {
  idle([events, n]) {
    const past = events / PAST_PAGE_EVENTS
    const tail = callTail({ after: events, toolUseId: `custom_toolu_${n}` })
    return {
      page: (index) => (index < past ? pastPage(index) : pageOf(tail.events)),
      resultSequence: tail.resultSequence,
      sequence: events + tail.events.length,
    }
  },
  open([calls, n]) {
    const pages = pagesOf(openCalls(calls, n))
    return { page: (index) => pages[index] }
  },
  flood: ([events]) => ({ page: () => pageOf([]), play: (response) => flood(response, { events }) }),
  paced: ([perSecond, events]) => ({
    page: () => pageOf([]),
    play: (response) => paced(response, { perSecond, events }),
  }),
}

const sessions = new Map()

export function sessionOf(id) {
  const known = sessions.get(id)
  if (known !== undefined) return known
  const [, kind, ...numbers] = id.split('_')
  const session = kinds[kind](numbers.map(Number))
  sessions.set(id, session)
  return session
}

function pagesOf(events) {
  const pages = []
  for (let start = 0; start < events.length; start += PAST_PAGE_EVENTS) {
    const end = start + PAST_PAGE_EVENTS
    pages.push(pageOf(events.slice(start, end), end < events.length ? pages.length + 1 : undefined))
  }
  return pages
}

function pageOf(events, next) {
  return `{"data":[${events.join()}],"nextCursor":${next === undefined ? null : `"${next}"`}}`
}
