import type { RawSession } from '../protocol/session.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { fieldLines } from './field-lines.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'
import { timeAgo } from './time-ago.ts'

/** Sessions as the service wrote them, or as a table. `now` is the service's time in milliseconds since the epoch. */
export function sessionTable(sessions: readonly RawSession[], now: number): Printable[] {
  return tableRows(sessions, {
    record: ({ raw }) => raw,
    columns: [
      { title: 'ID', cell: ({ session }) => session.id },
      { title: 'AGENT', cell: ({ session }) => session.agentId },
      { title: 'STATUS', cell: ({ session }) => session.status },
      { title: 'CREATED', cell: ({ session }) => timeAgo(session.createdAt, now) ?? session.createdAt },
      { title: 'TITLE', cell: ({ session }) => session.title, maxWidth: 40 },
    ],
  })
}

/** How to go on after a page that is not the last. */
export function morePages(cursor: string): string {
  return `there are more: go on with --cursor ${shellWord(cursor)}, or take --all`
}

export function describeSession({ session, raw }: RawSession): Printable {
  return {
    json: raw,
    text: (style) =>
      fieldLines(
        [
          ['id', session.id],
          ['agent', session.agentId],
          ['user', session.userId],
          ['title', session.title],
          ['status', session.status],
          ['created', session.createdAt],
          ['metadata', session.metadata == null ? undefined : JSON.stringify(session.metadata)],
        ],
        style,
      ),
  }
}
