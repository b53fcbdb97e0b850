import { HermError } from '../errors.ts'

/** The codes of `{error:{code, message}}` that the emulator answers with, and the HTTP status of each. */
const statuses = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  /** protocol: a turn is in the way, or none runs where one must. Nothing of the refused event was stored. */
  invalid_state: 409,
  /** protocol: the session had stopped waiting for this answer. The event WAS stored. */
  no_active_turn: 409,
  payload_too_large: 413,
} as const

export type RefusalCode = keyof typeof statuses

/** The error to throw for a request that is answered with `code`. */
export function refusal(code: RefusalCode, message: string): HermError {
  return new HermError('rejected', message, { serviceCode: code, status: statuses[code] })
}
