import { HermError } from '../errors.ts'

/** A value and where it came from, in words, such as `environment HERM_BASE_URL`; empty for what was just typed. */
export interface Setting<T> {
  readonly value: T
  readonly origin: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** An empty flag is a variable that a script forgot to set: HermError `usage`, where an empty environment value is unset. */
export function fromFlag(flag: string, value: string | undefined): Setting<string> | undefined {
  if (value === undefined) return undefined
  const setting = given(value, `flag --${flag}`)
  if (setting !== undefined) return setting
  throw new HermError('usage', `--${flag} is empty`, { hint: `Give --${flag} a value, or leave it out.` })
}

export function fromEnvironment(name: string, env: Environment): Setting<string> | undefined {
  return given(env[name], `environment ${name}`)
}

/** Undefined for nothing, or nothing but white space. */
export function given(value: string | undefined, origin: string): Setting<string> | undefined {
  const trimmed = value?.trim()
  return trimmed ? { value: trimmed, origin } : undefined
}

/** For an error: ` from flag --timeout`; nothing where the value itself says enough. */
export function fromOrigin(origin: string): string {
  return origin === '' ? '' : ` from ${origin}`
}

/** The same setting with its value understood; `parse` throws HermError, naming the origin. */
export function understood<T>(setting: Setting<string>, parse: (value: string, origin: string) => T): Setting<T> {
  return { value: parse(setting.value, setting.origin), origin: setting.origin }
}
