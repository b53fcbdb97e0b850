import * as z from 'zod/mini'
import { described, recordShape, text, textOrNull } from './record-shape.ts'

/** Keys and settings. */

const keyEnd = described(textOrNull, 'the last four characters of the key; null for none, and for a short one')
const origin = described(text, 'what set it, in words')

export const auth = recordShape('auth', 'auth status: the key in force, and where it comes from', {
  profile: text,
  profile_origin: origin,
  base_url: text,
  base_url_origin: origin,
  key_in_force: z.boolean(),
  key_last4: keyEnd,
  key_origin: z.nullable(origin),
  key_needed: described(z.boolean(), 'false for a service on this machine'),
  overrides_stored_key: described(z.boolean(), 'the environment has one, and the profile another'),
  profiles: described(z.array(text), 'every profile that is stored'),
})

export const login = recordShape('login', 'auth login: where the key is stored', {
  profile: text,
  base_url: text,
  key_last4: keyEnd,
  verified: described(z.boolean(), 'the service was asked whether it takes the key'),
  path: described(text, 'of the config file'),
})

export const logout = recordShape('logout', 'auth logout: whether a key was removed', {
  profile: text,
  removed: z.boolean(),
})

export const configPath = recordShape('config_path', 'config path: where the config file is', { path: text })

export const profileInUse = recordShape('profile_in_use', 'config use: the profile that is used where none is named', {
  profile: text,
})

export const setting = recordShape('setting', 'config list and get: a setting, its value and its origin', {
  key: text,
  value: described(textOrNull, 'as it is typed, the API key masked; null where nothing sets it'),
  origin: z.nullable(origin),
})

export const settingChanged = recordShape('setting_changed', 'config set and unset: what the profile now holds', {
  profile: text,
  key: text,
  value: textOrNull,
})
