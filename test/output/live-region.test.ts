import { PassThrough } from 'node:stream'
import { Terminal } from '@xterm/headless'
import { expect, it } from 'vitest'
import { createLiveRegion } from '../../src/output/live-region.ts'

/** A terminal that has a line of its own, and a region on it. */
async function terminal(columns: number) {
  const screen = new Terminal({ cols: columns, rows: 20, allowProposedApi: true, convertEol: true })
  const stream = new PassThrough({ encoding: 'utf8' })
  const stdout = Object.assign(stream, {
    isTTY: true,
    columns,
    rows: 20,
    moveCursor: (_x: number, y: number) => stream.write(y < 0 ? `\u001b[${-y}A` : ''),
    clearScreenDown: () => stream.write('\u001b[J'),
  }) as unknown as NodeJS.WriteStream
  stdout.write('before\n')
  return {
    region: createLiveRegion(stdout),
    resize(width: number) {
      stdout.columns = width
      screen.resize(width, 20)
    },
    async lines() {
      await new Promise<void>((resolve) => screen.write(stream.read() ?? '', resolve))
      const buffer = screen.buffer.active
      const all = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '')
      return all.join('\n').trimEnd().split('\n')
    },
  }
}

const WIDE = ['wide '.repeat(20), 'short', '映画 '.repeat(20)]

it.each([12, 30, 43])(
  'gives each line one row, however wide it is, and erases nothing else, at %i columns',
  async (columns) => {
    const { region, lines } = await terminal(columns)
    region.paint({ printed: ['first'], open: WIDE })
    expect(await lines()).toHaveLength(5)
    region.paint({ printed: ['second'], open: WIDE.slice(1) })
    region.around(() => undefined)
    region.paint({ printed: [], open: [...WIDE, 'more'] })
    expect((await lines()).slice(0, 3)).toEqual(['before', 'first', 'second'])
    expect(await lines()).toHaveLength(7)
    region.end()
    expect(await lines()).toEqual(['before', 'first', 'second'])
  },
)

it('erases what a narrower terminal made of its lines, and nothing else', async () => {
  const { region, lines, resize } = await terminal(60)
  region.paint({ printed: ['first'], open: WIDE })
  await lines()
  resize(24)
  region.paint({ printed: ['second'], open: WIDE })
  expect((await lines()).slice(0, 3)).toEqual(['before', 'first', 'second'])
  expect(await lines()).toHaveLength(6)
})
