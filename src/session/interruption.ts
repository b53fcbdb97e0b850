import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'

/**
 * The reason of an abort, such as Ctrl-C or a timeout, together with what it left open; a hint of its own is kept.
 * A reason that is no failure, such as a closed stdout, stays as it is.
 */
export function interruptedWhile(reason: unknown, left: { open: string; hint: string }): unknown {
  if (!(reason instanceof HermError)) return reason
  return new HermError(reason.kind, `${reason.message}: ${left.open}`, {
    hint: reason.hint ?? left.hint,
    cause: reason,
  })
}

/** What may be done about a result of which it is not known whether it was accepted. */
export function mayHaveBeenAccepted(toolUseId: string): { open: string; hint: string } {
  return {
    open: `the result for ${toolUseId} may have been accepted`,
    hint: `Run the same command again, which finds out before it sends, or \`herm-tools reconcile --tool-use-id ${shellWord(toolUseId)}\`.`,
  }
}
