import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Puts the built program as `herm-tools` into a folder that is to be on the PATH of a shell. */
export function putProgramIn(folder: string): void {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${inject('program')}' "$@"\n`
  writeFileSync(join(folder, 'herm-tools'), script, { mode: 0o755 })
}
