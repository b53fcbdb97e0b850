import { HermError } from '../errors.ts'
import { fromOrigin } from './setting-source.ts'

/** A header value of visible ASCII. Throws HermError `auth`; the key itself never gets into the message. */
export function parseApiKey(value: string, origin: string): string {
  if (/^(["'`]).*\1$/.test(value)) {
    throw new HermError(
      'auth',
      `the API key${fromOrigin(origin)} stands in quotation marks, which would be sent with it`,
      {
        hint: 'Give the key without them.',
      },
    )
  }
  if (value.length > LONGEST_KEY_CHARS) {
    throw new HermError('auth', `the API key${fromOrigin(origin)} is longer than any key: ${value.length} characters`, {
      hint: 'Copy the key again, alone: this may be a whole file.',
    })
  }
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new HermError(
    'auth',
    `the API key${fromOrigin(origin)} holds a space, a line break or another sign that no key has`,
    {
      hint: 'Copy the key again, alone and on one line.',
    },
  )
}

/** Far more than keys have, and what servers take in a header. */
const LONGEST_KEY_CHARS = 4_096
