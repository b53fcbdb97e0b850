import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { HermError } from '../errors.ts'
import { parseNested } from '../protocol/json-text.ts'
import { writeDurably } from './durable-write.ts'
import { assertOwn } from './own-place.ts'
import { ensurePrivateFolder, isOpenToOthers } from './private-folder.ts'
import { acquireLock } from './process-lock.ts'
import type { ProcessTable } from './process-table.ts'
import { isAbsent, reading, writing } from './storage-failure.ts'
import { sweepLeftovers } from './sweep-leftovers.ts'

const variable = 'HERM_TOOLS_CONFIG_DIR'

/** A change takes milliseconds; whoever holds the lock for this long is stopped. */
const UPDATE_WAIT_MS = 10_000

const CONFIG_VERSION = 1

const versioned = z.looseObject({ version: z.number() })

const profile = z.looseObject({
  apiKey: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
  session: z.optional(z.string()),
  agent: z.optional(z.string()),
  caFile: z.optional(z.string()),
  timeout: z.optional(z.string()),
  settle: z.optional(z.string()),
})

const configFile = z.looseObject({
  version: z.literal(CONFIG_VERSION),
  currentProfile: z.optional(z.string()),
  profiles: z.record(z.string(), profile),
})

export type Profile = z.infer<typeof profile>
export type ConfigFile = z.infer<typeof configFile>

export interface ConfigStore {
  readonly path: string
  /**
   * Makes nothing; no file reads as no profiles. Throws HermError `failed` for a file that makes no sense, which stays as it
   * is, and for one that may not be read: the cause is then the system's error.
   */
  read(): Promise<ConfigFile>
  /** Read, change, replace as one step among all processes. Throws as `read` does, and HermError `timeout`. */
  update(change: (config: ConfigFile) => ConfigFile): Promise<void>
}

export interface ConfigStoreOptions {
  /** The config folder; made on the first change. */
  readonly directory: string
  readonly clock: Clock
  readonly processes: ProcessTable
  readonly onWarning: (message: string) => void
}

/** The user's `config.json`: 0600 in a folder 0700, since it holds API keys. Profiles have literal names, dots and all. */
export function configStore({ directory, clock, processes, onWarning }: ConfigStoreOptions): ConfigStore {
  const path = join(directory, 'config.json')
  const own = { userId: processes.userId, variable }

  async function read(): Promise<ConfigFile> {
    const text = await reading({ path, variable }, async () => {
      assertOwn([directory, path], own)
      return readFile(path, 'utf8').catch((error) => {
        if (isAbsent(error)) return undefined
        throw error
      })
    })
    return text === undefined ? { version: 1, profiles: {} } : parseConfig(text, path)
  }

  async function openToOthers(): Promise<boolean> {
    const found = await stat(path).catch(() => undefined)
    return found !== undefined && isOpenToOthers(found.mode)
  }

  /** They may hold keys. Of other programs nothing is touched: the folder may be shared. */
  async function sweep(): Promise<void> {
    const own = (await readdir(directory)).filter((name) => name.startsWith('config.json.'))
    await sweepLeftovers(directory, own, clock.now())
  }

  async function change(wanted: (config: ConfigFile) => ConfigFile): Promise<void> {
    assertOwn([directory], own)
    await ensurePrivateFolder(directory, onWarning)
    const lock = await acquireLock({
      path: join(directory, 'config.lock'),
      label: 'config',
      timeoutMs: UPDATE_WAIT_MS,
      clock,
      processes,
    })
    try {
      const changed = accepted(wanted(await read()))
      if (await openToOthers()) onWarning(`${path} could be read by other users; it is now closed to them`)
      await write(path, changed)
      await sweep()
    } finally {
      await lock.release()
    }
  }

  return {
    path,
    async read() {
      const config = await read()
      if (await openToOthers()) onWarning(`${path} can be read by other users; run: chmod 600 ${path}`)
      return config
    },
    update: (wanted) => writing({ path, variable }, () => change(wanted)),
  }
}

/** A config that is kept elsewhere, behind a link, stays there. */
async function write(path: string, config: ConfigFile): Promise<void> {
  const target = await realpath(path).catch((error) => {
    if (isAbsent(error)) return path
    throw error
  })
  await writeDurably(target, `${JSON.stringify(config, undefined, 2)}\n`)
}

function parseConfig(text: string, path: string): ConfigFile {
  const hint = `Correct ${path}, or move it away and run: herm-tools auth login`
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    // The parser's own message may quote the text, and with it a key.
    throw new HermError('failed', `the config ${path} is no JSON`, { hint })
  }
  const { version } = versioned.safeParse(json).data ?? {}
  if (version !== undefined && version > CONFIG_VERSION) {
    throw new HermError('failed', `a later herm-tools wrote the config ${path} (version ${version})`, {
      hint: `Update herm-tools, or use another config: set ${variable} to another folder.`,
    })
  }
  const parsed = configFile.safeParse(json)
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(wrongPlace)
  throw new HermError('failed', `the config ${path} has the wrong shape: ${reasons.join('; ')}`, { hint })
}

/** Such as `profiles.default.timeout is no string`. Never the value: it may be a key. */
function wrongPlace(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? 'it' : issue.path.join('.')
  return issue.code === 'invalid_type'
    ? `${place} is no ${issue.expected === 'record' ? 'object' : issue.expected}`
    : `${place} is not as it should be`
}

/** Some editors on Windows begin a file with a byte order mark. */
function parseJson(text: string) {
  return parseNested(text.replace(/^\uFEFF/, '')) as Record<string, unknown>
}

/** JSON parsers treat `__proto__` specially: a profile of that name would vanish. */
function accepted(config: ConfigFile): ConfigFile {
  if (!Object.keys(config.profiles).some((name) => name === '' || name === '__proto__')) return config
  throw new HermError('usage', 'a profile cannot have this name', { hint: 'Choose another name for the profile.' })
}
