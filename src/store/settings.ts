import { resolve } from 'node:path'
import { parseDuration } from '../duration.ts'
import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'
import { parseApiKey } from './api-key.ts'
import { parseBaseUrl } from './base-url.ts'
import { chooseProfile, namedProfile, type ProfileSources } from './choose-profile.ts'
import type { ConfigStore } from './config.ts'
import { fromEnvironment, fromFlag, fromOrigin, given, type Setting, understood } from './setting-source.ts'
import { isForbidden } from './storage-failure.ts'

export interface Settings {
  readonly profile: Setting<string>
  /** The names of all that are stored. */
  readonly profiles: readonly string[]
  readonly apiKey: Setting<string> | undefined
  readonly baseUrl: Setting<string>
  readonly session: Setting<string> | undefined
  readonly agent: Setting<string> | undefined
  /** The file with certificates to trust besides the usual ones, as an absolute path. */
  readonly caFile: Setting<string> | undefined
  /** How long to wait for idle, ms. */
  readonly timeoutMs: Setting<number>
  /** How long to look for a result whose outcome is unknown, ms. */
  readonly settleMs: Setting<number>
  /** Why the config was passed over: this user may not read it, and no profile was asked for. */
  readonly configUnread: HermError | undefined
}

/** Flags as they were typed. A key is never one of them: every user of the machine can see argv. */
export interface SettingFlags {
  readonly profile?: string | undefined
  readonly baseUrl?: string | undefined
  readonly session?: string | undefined
  readonly agent?: string | undefined
  readonly timeout?: string | undefined
  readonly settle?: string | undefined
  readonly caFile?: string | undefined
  readonly allowInsecureHttp?: boolean | undefined
}

export interface SettingSources extends ProfileSources {
  readonly flags: SettingFlags
  /** What to call the values of the profile; empty when they were just typed. The profile and the config when left out. */
  readonly profileOrigin?: string | undefined
  readonly configUnread?: HermError | undefined
}

const DEFAULT_BASE_URL = 'https://api.herm.run'
const DEFAULT_TIMEOUT = '10m'
const DEFAULT_SETTLE = '30s'

/** Flag before environment before profile before default. Throws HermError `usage` or `auth`, naming the origin. */
export function resolveSettings(from: SettingSources): Settings {
  const { flags, env } = from
  const profile = chooseProfile(from)
  const profileOrigin = from.profileOrigin ?? `profile ${profile.name.value} (${from.configPath})`
  const inProfile = (name: 'apiKey' | 'baseUrl' | 'session' | 'agent' | 'caFile' | 'timeout' | 'settle') =>
    given(profile.values[name], profileOrigin)

  const apiKey = fromEnvironment('PRISM_API_KEY', env) ?? inProfile('apiKey')
  const baseUrl = fromFlag('base-url', flags.baseUrl) ?? fromEnvironment('HERM_BASE_URL', env) ?? inProfile('baseUrl')
  const caFile = fromFlag('ca-file', flags.caFile) ?? fromEnvironment('HERM_CA_FILE', env) ?? inProfile('caFile')
  const timeout = fromFlag('timeout', flags.timeout) ?? inProfile('timeout')
  const settle = fromFlag('settle', flags.settle) ?? inProfile('settle')
  return {
    profile: profile.name,
    profiles: Object.keys(from.config.profiles),
    apiKey: apiKey && understood(apiKey, parseApiKey),
    baseUrl: understood(baseUrl ?? byDefault(DEFAULT_BASE_URL), (value, origin) =>
      parseBaseUrl(value, { origin, allowInsecureHttp: flags.allowInsecureHttp }),
    ),
    session: fromFlag('session', flags.session) ?? fromEnvironment('HERM_SESSION', env) ?? inProfile('session'),
    agent: fromFlag('agent', flags.agent) ?? inProfile('agent'),
    caFile: caFile && understood(caFile, (path) => resolve(path)),
    timeoutMs: understood(timeout ?? byDefault(DEFAULT_TIMEOUT), parseTimeout),
    settleMs: understood(settle ?? byDefault(DEFAULT_SETTLE), parseWait),
    configUnread: from.configUnread,
  }
}

/**
 * Reads the config and resolves. The config is read every time: it is one small file, and a base URL in it counts beside a
 * key from the environment. A config that this user may not read is passed over unless a profile is named, so that a
 * container with a foreign HOME works from its environment alone; one that makes no sense stops the command (`failed`).
 */
export async function loadSettings(
  options: Omit<SettingSources, 'config' | 'configPath' | 'configUnread'> & { readonly store: ConfigStore },
): Promise<Settings> {
  const { store, ...asked } = options
  const from = { ...asked, configPath: store.path }
  try {
    return resolveSettings({ ...from, config: await store.read() })
  } catch (error) {
    if (!(error instanceof HermError && isForbidden(error.cause)) || namedProfile(from) !== undefined) throw error
    return resolveSettings({ ...from, config: { version: 1, profiles: {} }, configUnread: error })
  }
}

/** The key to send; none is needed by a service on this machine, as the emulator is. Throws HermError `auth`. */
export function requireApiKey(settings: Settings): string | undefined {
  if (settings.apiKey !== undefined) return settings.apiKey.value
  if (isLoopback(new URL(settings.baseUrl.value))) return undefined
  const unread = settings.configUnread === undefined ? '' : ` (${settings.configUnread.message})`
  throw new HermError('auth', `there is no API key for profile ${settings.profile.value}${unread}`, {
    hint: 'Run herm-tools auth login, or set PRISM_API_KEY.',
    cause: settings.configUnread,
  })
}

function byDefault(value: string): Setting<string> {
  return { value, origin: 'default' }
}

/** A wait of no time would end before the session was looked at. */
function parseTimeout(value: string, origin: string): number {
  const ms = parseWait(value, origin)
  if (ms > 0) return ms
  throw new HermError('usage', `a timeout of "${value}"${fromOrigin(origin)} leaves no time to look`, {
    hint: 'Give it some, such as 5s: a session that is idle already ends the wait at once.',
  })
}

function parseWait(value: string, origin: string): number {
  const ms = parseDuration(value)
  if (ms !== undefined) return ms
  throw new HermError('usage', `"${value}"${fromOrigin(origin)} is no duration`, {
    hint: 'Write it as 30s, 10m or 1h30m; up to 365d.',
  })
}
