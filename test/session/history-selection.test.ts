import { expect, it, test } from 'vitest'
import type { RawEvent } from '../../src/protocol/envelope.ts'
import { createHistorySelector, type HistorySelection } from '../../src/session/history-selection.ts'
import { event, timeAt } from '../protocol/session-log.ts'

function selected(selection: HistorySelection, count: number, serviceNow = () => 0): number[] {
  const selector = createHistorySelector(selection, { serviceNow })
  const events = Array.from({ length: count }, (_, index) => event(index + 1, 'x'))
  const taken = [...events.flatMap((one) => selector.take(one)), ...selector.end()]
  return taken.map(({ envelope }) => envelope.sequence ?? 0)
}

it.each<[HistorySelection, number[]]>([
  [{ from: 'start' }, [1, 2, 3, 4]],
  [{ from: 'now' }, []],
  [{ from: 'sequence', sequence: 3 }, [4]],
  [{ from: 'ago', ms: 2000 }, [3, 4]],
  [{ from: 'last', count: 0 }, []],
  [{ from: 'last', count: 3 }, [2, 3, 4]],
  [{ from: 'last', count: 5 }, [1, 2, 3, 4]],
])('%j', (selection, expected) => {
  expect(selected(selection, 4, () => Date.parse(timeAt(5)))).toEqual(expected)
})

it('asks for the time when the first event is there, and only then', () => {
  const asked: string[] = []
  const selector = createHistorySelector({ from: 'ago', ms: 1000 }, { serviceNow: () => asked.push('now') && 0 })
  expect(asked).toEqual([])
  selector.take(event(1, 'x'))
  selector.take(event(2, 'x'))
  expect(asked).toEqual(['now'])
})

test('the last of many', () => {
  expect(selected({ from: 'last', count: 2 }, 1000)).toEqual([999, 1000])
  expect(selected({ from: 'last', count: 0 }, 1000)).toEqual([])
})

test.each<[count: number, taken: string]>([
  [0, ''],
  [1, 'F g'],
  [2, 'D e F g'],
  [3, 'C D e F g'],
  [9, 'a B C D e F g'],
])('of the last %i only those count that are shown, and the others come with them', (count, taken) => {
  const isShown = ({ envelope }: RawEvent) => envelope.type === envelope.type.toUpperCase()
  const selector = createHistorySelector({ from: 'last', count }, { serviceNow: () => 0, isShown })
  for (const [at, type] of [...'aBCDeFg'].entries()) expect(selector.take(event(at + 1, type))).toEqual([])
  expect(
    selector
      .end()
      .map(({ envelope }) => envelope.type)
      .join(' '),
  ).toBe(taken)
})

test('what was kept back is given once', () => {
  const selector = createHistorySelector({ from: 'last', count: 2 }, { serviceNow: () => 0 })
  selector.take(event(1, 'x'))
  expect(selector.end()).toHaveLength(1)
  expect(selector.end()).toEqual([])
})
