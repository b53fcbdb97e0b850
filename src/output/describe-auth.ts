import { isLoopback } from '../protocol/loopback.ts'
import { keyEnd, maskedKey } from '../store/masked-key.ts'
import type { Setting } from '../store/setting-source.ts'
import type { Settings } from '../store/settings.ts'
import { fieldLines } from './field-lines.ts'
import type { Printable } from './reporter.ts'
import { oneLine } from './visible-text.ts'

/** Which key is in force. `key_last4` is null for no key, and for one of which so much may not be shown. */
export function authRecord(settings: Settings, { overridesStored }: { overridesStored: boolean }): Printable {
  const { profile, profiles, baseUrl, apiKey } = settings
  const isNeeded = !isLoopback(new URL(baseUrl.value))
  return {
    json: {
      type: 'herm_tools.auth',
      profile: profile.value,
      profile_origin: profile.origin,
      base_url: baseUrl.value,
      base_url_origin: baseUrl.origin,
      key_in_force: apiKey !== undefined,
      key_last4: (apiKey && keyEnd(apiKey.value)) ?? null,
      key_origin: apiKey?.origin ?? null,
      key_needed: isNeeded,
      overrides_stored_key: overridesStored,
      profiles: [...profiles],
    },
    text: (style) =>
      fieldLines(
        [
          ['profile', withOrigin(profile)],
          ['service', withOrigin(baseUrl)],
          ['key', apiKey === undefined ? without(isNeeded) : withOrigin({ ...apiKey, value: maskedKey(apiKey.value) })],
          ['profiles', profiles.length > 1 ? profiles.join(', ') : undefined],
        ],
        style,
      ),
  }
}

export function loginRecord(login: {
  profile: { name: Setting<string>; path: string }
  service: Setting<string>
  key: string
  verified: boolean
}): Printable {
  const { profile, service, key, verified } = login
  return {
    json: {
      type: 'herm_tools.login',
      profile: profile.name.value,
      base_url: service.value,
      key_last4: keyEnd(key) ?? null,
      verified,
      path: profile.path,
    },
    isSentence: true,
    text: () => {
      const isDefault = service.origin === 'default'
      const checked = `the key ${verified ? 'is good' : 'was not checked'} for ${isDefault ? service.value : withOrigin(service)}`
      const stored = isDefault ? 'it is stored' : 'key and address are stored'
      return `${checked}; ${stored} in profile ${oneLine(profile.name.value)} (${profile.path})`
    },
  }
}

export function logoutRecord({ profile, wasStored }: { profile: string; wasStored: boolean }): Printable {
  return {
    json: { type: 'herm_tools.logout', profile, removed: wasStored },
    isSentence: true,
    text: () =>
      wasStored ? `the key of profile ${oneLine(profile)} is removed` : `profile ${oneLine(profile)} holds no key`,
  }
}

function withOrigin({ value, origin }: Setting<string>): string {
  return `${value} (${origin})`
}

function without(isNeeded: boolean): string {
  return isNeeded ? 'none' : 'none; a service on this machine may do without'
}
