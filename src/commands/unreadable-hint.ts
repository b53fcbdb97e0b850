import { shellWord } from '../protocol/shell-word.ts'

/** What to do about entries of the journal that cannot be read: to try again never helps. Of one call, where it is known. */
export function unreadableHint(toolUseId?: string): string {
  const id = toolUseId === undefined ? 'TOOL_USE_ID' : shellWord(toolUseId)
  return `An entry that cannot be read may be the record of an accepted final. Mend the file, or put it aside with \`herm-tools jobs forget ${id} --force\`.`
}
