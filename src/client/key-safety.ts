import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'

/**
 * Throws `usage` when the key would travel in the open, unless that is allowed and so only warned of; and `auth` when it
 * is no header value.
 */
export function assertKeyIsSafe(options: {
  base: URL
  apiKey: string | undefined
  allowInsecureHttp: boolean
  onWarning: (message: string) => void
}): void {
  const { base, apiKey } = options
  if (!apiKey) return
  if (base.protocol !== 'https:' && !isLoopback(base)) {
    if (!options.allowInsecureHttp) {
      throw new HermError('usage', `the key is not sent to ${base.host} over plain http`, {
        hint: 'Use an https address; plain http is for a service on this machine.',
      })
    }
    options.onWarning(
      `${base.host} is asked over plain http: anybody on the way can read the API key, and read and change all that is sent and received`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new HermError('auth', 'the key holds a character that no key has, such as a blank or a line break', {
      hint: 'Copy the key again and run `herm-tools auth login`.',
    })
  }
}
