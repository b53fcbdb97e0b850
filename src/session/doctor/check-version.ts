import { type Finding, type Installation, ok, problem } from './finding.ts'

/** The `engines` of package.json. */
const OLDEST_NODE = '20.18.1'

export async function checkVersion({ version, runtime: { node } }: Installation): Promise<Finding> {
  const found = `herm-tools ${version} on Node.js ${node}`
  if (isAtLeast(node, OLDEST_NODE)) return ok(found, { herm_tools: version, node })
  return problem(`${found}, which is too old`, `Install Node.js ${OLDEST_NODE} or later.`)
}

function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) >= 0
}
