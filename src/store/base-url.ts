import { HermError } from '../errors.ts'
import { isLoopback } from '../protocol/loopback.ts'
import { withoutTrailingSlash } from './journal.ts'
import { fromOrigin } from './setting-source.ts'

/**
 * The base URL without trailing slashes. Throws HermError `usage`, naming the origin, for what is no http(s) URL, for one
 * with credentials, query or hash, and for plain http to another machine, where anybody on the way could read the key.
 */
export function parseBaseUrl(
  text: string,
  options: { origin: string; allowInsecureHttp?: boolean | undefined },
): string {
  const refuse = (why: string, hint = 'Give a URL such as https://api.herm.run') =>
    new HermError('usage', `the base URL${fromOrigin(options.origin)} ${why}`, { hint })
  if (!URL.canParse(text)) throw refuse('is no URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('is neither http nor https')
  if (url.username !== '' || url.password !== '') throw refuse('holds a user name or password')
  // `https://host/?` has an empty search and still is not a base to append a path to.
  if (/[?#]/.test(text)) throw refuse('has a query or a fragment')
  if (url.protocol === 'http:' && !isLoopback(url) && options.allowInsecureHttp !== true) {
    throw refuse(
      'is plain http to another machine',
      'Use https, so that nobody on the way can read the key; --allow-insecure-http sends it all the same.',
    )
  }
  return withoutTrailingSlash(url.href)
}
