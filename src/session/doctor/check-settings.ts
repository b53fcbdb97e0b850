import { isLoopback } from '../../protocol/loopback.ts'
import { keyEnd, maskedKey } from '../../store/masked-key.ts'
import { requireApiKey } from '../../store/settings.ts'
import { type Finding, type Installation, ok, warning } from './finding.ts'

export async function checkSettings({ settings }: Installation): Promise<Finding> {
  const { profile } = await settings()
  return ok(`all are understood; profile ${profile.value} (${profile.origin})`, { profile: profile.value })
}

export async function checkService({ settings }: Installation): Promise<Finding> {
  const { baseUrl } = await settings()
  const found = `${baseUrl.value} (${baseUrl.origin})`
  const url = new URL(baseUrl.value)
  if (url.protocol === 'https:' || isLoopback(url)) return ok(found, { base_url: baseUrl.value })
  return warning(
    `${found} is plain http to another machine: anybody on the way can read the key`,
    'Use https if the service has it.',
    { base_url: baseUrl.value },
  )
}

/** Throws `auth` when there is no key, and one is needed. */
export async function checkKey({ settings, config, env }: Installation): Promise<Finding> {
  const known = await settings()
  requireApiKey(known)
  const { apiKey, profile } = known
  if (apiKey === undefined) return ok('none; a service on this machine may do without')
  const found = `${maskedKey(apiKey.value)} (${apiKey.origin})`
  const facts = { last4: keyEnd(apiKey.value) ?? null }
  const stored = known.configUnread === undefined ? (await config.read()).profiles[profile.value]?.apiKey : undefined
  if (!env.PRISM_API_KEY?.trim() || stored === undefined || stored.trim() === apiKey.value) return ok(found, facts)
  return warning(
    `${found} wins over the key that is stored in profile ${profile.value}`,
    'If the stored one is meant, unset PRISM_API_KEY.',
    facts,
  )
}
