import { lchownSync } from 'node:fs'
import { type ProcessTable, processTable } from '../../src/store/process-table.ts'

/** Whether this test run may give files away, as root may. */
export const isRoot = process.geteuid?.() === 0

const SOMEBODY = 12_345

/**
 * Makes a file, folder or link somebody else's in the eyes of a store with the processes that are returned. Who may not give
 * it away keeps it, and the store is told that it runs for somebody else.
 */
export function giveAway(path: string): ProcessTable {
  const table = processTable(process)
  if (!isRoot) return { ...table, userId: SOMEBODY }
  lchownSync(path, SOMEBODY, SOMEBODY)
  return table
}
