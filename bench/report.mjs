/**
 * @typedef {object} Table
 * @property {string} [title]
 * @property {string[]} head
 * @property {string[][]} rows
 */

/** The report in Markdown: the machine, every bar, then what each comparison found. */
export function report({ machine, findings, quick }) {
  const bars = findings.flatMap(({ title, bars }) =>
    bars.map(({ what, bar, value, isMet }) => [title, what, bar, value, isMet ? 'met' : 'missed']),
  )
  return [
    '# Benchmarks',
    'Made by `npm run bench`. Times are medians over rounds in which all candidates of a table ran by turns.',
    ...(quick ? ['**Made with `--quick`: a look whether it works, not a measurement.**'] : []),
    markdownTable({ head: ['', ''], rows: machine }),
    '## Bars',
    markdownTable({ head: ['comparison', 'what', 'bar', 'value', ''], rows: bars }),
    ...findings.flatMap(sectionOf),
  ]
    .join('\n\n')
    .concat('\n')
}

function sectionOf({ title, tables, notes = [] }) {
  return [
    `## ${title}`,
    ...notes,
    ...tables.flatMap((table) => [...(table.title ? [`${table.title}:`] : []), markdownTable(table)]),
  ]
}

/** Its columns are aligned, so that it can be read in a terminal as well. */
function markdownTable({ head, rows }) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)))
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
