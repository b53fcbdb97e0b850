import { dirname, join } from 'node:path'
import { shellWord } from '../../protocol/shell-word.ts'
import { lookAt, tryWriting } from '../../store/look-at.ts'
import { isOpenToOthers, isWritableByOthers } from '../../store/private-folder.ts'
import { reading, writing } from '../../store/storage-failure.ts'
import { type Finding, type Installation, ok, openToOthers, warning } from './finding.ts'

const variable = 'HERM_TOOLS_STATE_DIR'

/** Without a state folder that can be written to, no call can be answered safely. */
export async function checkStateFolder(installation: Installation): Promise<Finding> {
  const path = installation.folders.state
  const look = (folder: string) =>
    reading({ path: folder, variable }, () => lookAt(folder, { userId: installation.runtime.userId, variable }))
  const tried = (folder: string) => writing({ path: folder, variable }, () => tryWriting(folder))

  const state = await look(path)
  if (state === undefined) {
    await tried(await nearestFolder(path))
    return ok(`${path} does not exist yet; it can be made`)
  }
  await tried(path)
  if (isWritableByOthers(state.mode))
    return warning(`others may write to ${path}`, `Run: chmod go-w ${shellWord(path)}`)
  for (const folder of ['journal', 'places', 'locks'].map((name) => join(path, name))) {
    const part = await look(folder)
    if (part === undefined) continue
    await tried(folder)
    if (isOpenToOthers(part.mode)) return openToOthers(folder, part)
  }
  return ok(`${path} can be written to`)

  /** Where the first missing folder above would be made. */
  async function nearestFolder(missing: string): Promise<string> {
    const above = dirname(missing)
    return above === missing || (await look(above)) !== undefined ? above : nearestFolder(above)
  }
}
