import { dirname } from 'node:path'
import { HermError } from '../../errors.ts'
import { type Look, lookAt } from '../../store/look-at.ts'
import { isOpenToOthers } from '../../store/private-folder.ts'
import { isForbidden } from '../../store/storage-failure.ts'
import { type Finding, type Installation, ok, openToOthers, problem, warning } from './finding.ts'

export async function checkConfigFolder(installation: Installation): Promise<Finding> {
  const path = dirname(installation.config.path)
  const look = await lookAtConfig(path, installation)
  if (look === undefined) return ok(`${path} does not exist yet; it is made when something is stored`)
  if (look === 'forbidden') return unreadable(path)
  if (!look.isFolder) return problem(`${path} is no folder`, 'Move it away, or set HERM_TOOLS_CONFIG_DIR to a folder.')
  return isOpenToOthers(look.mode) ? openToOthers(path, look) : ok(path)
}

export async function checkConfigFile(installation: Installation): Promise<Finding> {
  const { path } = installation.config
  const look = await lookAtConfig(path, installation)
  if (look === undefined) return ok(`${path} does not exist; nothing is stored`)
  if (look === 'forbidden') return unreadable(path)
  try {
    const { profiles } = await installation.config.read()
    const names = Object.keys(profiles)
    if (isOpenToOthers(look.mode)) return openToOthers(path, look)
    return ok(`${path}, profiles: ${names.join(', ') || 'none'}`, { profiles: names })
  } catch (error) {
    if (error instanceof HermError && isForbidden(error.cause)) return unreadable(path)
    throw error
  }
}

/** Throws HermError `failed` for what belongs to another user. */
async function lookAtConfig(
  path: string,
  { runtime: { userId } }: Installation,
): Promise<Look | 'forbidden' | undefined> {
  try {
    return await lookAt(path, { userId, variable: 'HERM_TOOLS_CONFIG_DIR' })
  } catch (error) {
    if (isForbidden(error)) return 'forbidden'
    throw error
  }
}

/** No problem by itself: a command does without, unless it is asked for a profile. */
function unreadable(path: string): Finding {
  return warning(
    `${path} may not be read by this user, and is passed over`,
    'Let this user read it, or set HERM_TOOLS_CONFIG_DIR to another folder.',
  )
}
