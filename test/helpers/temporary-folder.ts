import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder that goes when the test is over. */
export function temporaryFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'herm-tools-test-')))
  onTestFinished(() => {
    chmodSync(path, 0o700)
    rmSync(path, { recursive: true, force: true })
  })
  return path
}
