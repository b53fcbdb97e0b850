import type { HistorySelection } from '../session/history-selection.ts'

export interface SelectionInput {
  readonly since?: HistorySelection | undefined
  readonly last?: number | undefined
}

/** What `--since` and `--last` mean; they exclude each other. */
export function selectHistory({ since, last }: SelectionInput, byDefault: HistorySelection): HistorySelection {
  return since ?? (last === undefined ? byDefault : { from: 'last', count: last })
}
