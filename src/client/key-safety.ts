import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'

/** Throws `usage` when the key would travel in the open, and `auth` when it is no header value. */
export function assertKeyIsSafe(base: URL, apiKey: string | undefined): void {
  if (!apiKey) return
  if (base.protocol !== 'https:' && !isLoopback(base)) {
    throw new HermError('usage', `the key is not sent to ${base.host} over plain http`, {
      hint: 'Use an https address; plain http is for a service on this machine.',
    })
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new HermError('auth', 'the key holds a character that no key has, such as a blank or a line break', {
      hint: 'Copy the key again and run `herm-tools auth login`.',
    })
  }
}
