import type { Context } from '../context.ts'
import type { Profile } from '../store/config.ts'
import type { Setting } from '../store/setting-source.ts'
import type { SettingFlags, Settings } from '../store/settings.ts'

/** The profile in force as it is stored, for a command that changes it. */
export interface OpenProfile {
  readonly name: Setting<string>
  /** Without flags, environment and defaults, and not checked: a value that makes no sense can be replaced. */
  readonly values: Profile
  /** It is not stored yet. */
  readonly isNew: boolean
  /** The config file. */
  readonly path: string
  /** Makes the profile when there is none. Throws as ConfigStore's `update` does. */
  change(change: (values: Profile) => Profile): Promise<void>
}

/** Throws as ConfigStore's `read` and chooseProfile do. */
export async function openProfile(
  context: Context,
  options: {
    flags: Pick<SettingFlags, 'profile'>
    onWarning: (message: string) => void
    mayCreateProfile?: boolean
  },
): Promise<OpenProfile> {
  const { chooseProfile } = await import('../store/choose-profile.ts')
  const store = await context.config(options)
  const config = await store.read()
  const { name, values } = chooseProfile({ ...options, env: context.env, config, configPath: store.path })
  return {
    name,
    values,
    isNew: !Object.hasOwn(config.profiles, name.value),
    path: store.path,
    change: (change) =>
      store.update((latest) => {
        const stored = Object.hasOwn(latest.profiles, name.value) ? latest.profiles[name.value] : undefined
        return { ...latest, profiles: { ...latest.profiles, [name.value]: change(stored ?? {}) } }
      }),
  }
}

/** For whoever named a profile that there was not: it may be a slip of the finger. Nothing is said of `default`. */
export function newProfileNote({ name, isNew }: OpenProfile): string | undefined {
  return isNew && name.value !== 'default' ? `a new profile was made: ${name.value}` : undefined
}

/** Values that were just typed, as a later command will understand them. Throws as resolveSettings does, before they are stored. */
export async function understand(
  profile: string,
  values: Profile,
  { allowInsecureHttp }: Pick<SettingFlags, 'allowInsecureHttp'> = {},
): Promise<Settings> {
  const { resolveSettings } = await import('../store/settings.ts')
  return resolveSettings({
    flags: { profile, allowInsecureHttp },
    env: {},
    config: { version: 1, profiles: { [profile]: values } },
    configPath: '',
    profileOrigin: '',
  })
}
