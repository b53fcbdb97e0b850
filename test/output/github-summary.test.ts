import { expect, it } from 'vitest'
import { githubSummary } from '../../src/output/github-summary.ts'
import type { ToolRecord } from '../../src/output/record-types.ts'

const frame = (name: string): ToolRecord => ({ type: 'herm_tools.frame', session_id: 's', name, data: '' })

it('has a table for each type, with a row for each record', () => {
  const records = [frame('a'), { type: 'herm_tools.config_path', path: 'p' } as const, frame('b')]
  expect(githubSummary(records)).toBe(`### herm_tools.frame

| session_id | name | data |
| --- | --- | --- |
| <code>s</code> | <code>a</code> |  |
| <code>s</code> | <code>b</code> |  |

### herm_tools.config_path

| path |
| --- |
| <code>p</code> |

`)
  expect(githubSummary([])).toBe('')
})

it('shows a text on one line, of which no mark means anything', () => {
  expect(githubSummary([frame('a\n\n# <b>|`\\ \u001b[31m@x')])).toContain('<code>a \\# \\<b\\>\\|\\`\\\\ \\@x</code>')
})

it('is for an overview: long texts and long lists are cut', () => {
  expect(githubSummary([frame(`${'x'.repeat(199)}😀`)])).toContain(`<code>${'x'.repeat(199)}…</code>`)
  const summary = githubSummary(Array.from({ length: 60 }, (_, index) => frame(`n${index}`)))
  expect(summary.match(/<code>n/g)).toHaveLength(50)
  expect(summary).toContain('\nThe first 50 of 60.\n')
})
