import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, type Installation, ok, problem, warning } from './finding.ts'

export async function checkJournal({ journal, folders }: Installation): Promise<Finding> {
  const { entries, problems } = await journal.list()
  const inDoubt = entries.filter(({ intent }) => intent !== undefined).length
  const keptAside = await countKeptAside(join(folders.state, 'journal'))
  const aside = keptAside === 0 ? '' : `; ${keptAside} kept aside as broken`
  const [first] = problems
  if (first !== undefined) {
    return problem(
      `${problems.length} of ${entries.length + problems.length} entries cannot be understood, such as ${first.place}: ${first.reason}`,
      'Their calls are not answered from here. To accept the loss of one: herm-tools jobs forget ID --force',
    )
  }
  const facts = { entries: entries.length, in_doubt: inDoubt, kept_aside: keptAside }
  if (inDoubt === 0) return ok(`calls: ${entries.length}, none in doubt${aside}`, facts)
  return warning(
    `calls: ${entries.length}; whether the service took a result is not known of ${inDoubt}${aside}`,
    'Run: herm-tools reconcile',
    facts,
  )
}

/** What `jobs forget --force` has put aside. */
async function countKeptAside(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.includes('.json.broken-')).length
}
