import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { fileJournal } from '../../src/store/file-journal.ts'
import type { Journal } from '../../src/store/journal.ts'
import { processTable } from '../../src/store/process-table.ts'
import { realClock } from './real-clock.ts'
import { type Runs, runsIn } from './runs-in.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface ToolHome extends Runs {
  readonly folder: string
  /** Makes the tool keep everything in this home. */
  readonly env: Readonly<Record<string, string>>
  readonly configPath: string
  readonly stateDir: string
  /** The text of the config file. */
  config(): string
  /** Its profiles, parsed. */
  profiles(): Record<string, Record<string, string>>
  writeConfig(content: string | { profiles: Record<string, Record<string, string>> }): void
  /** The journal that the tool reads. */
  readonly journal: Journal
}

/** A home of a test's own: an empty config and an empty journal. */
export function toolHome(): ToolHome {
  const folder = temporaryFolder()
  const configDir = join(folder, 'config')
  const stateDir = join(folder, 'state')
  const configPath = join(configDir, 'config.json')
  const env = {
    HOME: folder,
    HERM_TOOLS_CONFIG_DIR: configDir,
    HERM_TOOLS_STATE_DIR: stateDir,
    XDG_CACHE_HOME: inject('cacheHome'),
  }
  const config = () => readFileSync(configPath, 'utf8')
  return {
    folder,
    env,
    configPath,
    stateDir,
    config,
    profiles: () => JSON.parse(config()).profiles,
    writeConfig(content) {
      mkdirSync(configDir, { mode: 0o700, recursive: true })
      const text = typeof content === 'string' ? content : JSON.stringify({ version: 1, ...content })
      writeFileSync(configPath, text, { mode: 0o600 })
    },
    journal: fileJournal({
      directory: stateDir,
      clock: realClock,
      processes: processTable(process),
      onWarning: (message) => {
        throw new Error(message)
      },
    }),
    ...runsIn(env),
  }
}
