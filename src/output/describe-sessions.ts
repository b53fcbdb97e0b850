import type { RawSession } from '../protocol/session.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { fieldLines } from './field-lines.ts'
import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'

/** Sessions as the service wrote them, or as a table. */
export function sessionTable(sessions: readonly RawSession[]): Printable[] {
  return tableRows(sessions, {
    record: ({ raw }) => raw,
    columns: [
      { title: 'ID', cell: ({ session }) => session.id },
      { title: 'AGENT', cell: ({ session }) => session.agentId },
      { title: 'STATUS', cell: ({ session }) => session.status },
      { title: 'TITLE', cell: ({ session }) => session.title, maxWidth: 40 },
      { title: 'CREATED', cell: ({ session }) => session.createdAt },
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
