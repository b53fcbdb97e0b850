import { HermError } from '../errors.ts'
import { shellWord } from '../protocol/shell-word.ts'
import type { ConfigFile, Profile } from './config.ts'
import { type Environment, fromEnvironment, fromFlag, given, type Setting } from './setting-source.ts'

export interface ProfileSources {
  readonly flags: { readonly profile?: string | undefined }
  readonly env: Environment
  readonly config: ConfigFile
  readonly configPath: string
  /** Whether a profile that does not exist may be named, as by `auth login`, which makes it. */
  readonly mayCreateProfile?: boolean | undefined
}

export interface ChosenProfile {
  readonly name: Setting<string>
  readonly values: Profile
}

/**
 * The profile in force: `--profile`, HERM_TOOLS_PROFILE, the config's `currentProfile`, `default`. Only `default` need not
 * exist: HermError `usage`, listing those that do.
 */
export function chooseProfile(from: ProfileSources): ChosenProfile {
  const { profiles, currentProfile } = from.config
  const name = namedProfile(from) ??
    given(currentProfile, `config ${from.configPath}`) ?? { value: 'default', origin: 'default' }
  // Profiles have any name, also that of something which every object inherits.
  if (Object.hasOwn(profiles, name.value)) return { name, values: profiles[name.value] ?? {} }
  if (name.value === 'default' || from.mayCreateProfile === true) return { name, values: {} }
  throw new HermError('usage', `there is no profile ${name.value} (${name.origin})`, {
    hint: `Profiles: ${Object.keys(profiles).join(', ') || 'none'}. To make it: herm-tools auth login --profile ${shellWord(name.value)}`,
  })
}

/** The profile that this command was asked to use, as opposed to the one it falls back to. */
export function namedProfile({ flags, env }: Pick<ProfileSources, 'flags' | 'env'>): Setting<string> | undefined {
  return fromFlag('profile', flags.profile) ?? fromEnvironment('HERM_TOOLS_PROFILE', env)
}
