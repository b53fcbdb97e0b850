import * as z from 'zod/mini'
import type { FaultReport } from './fault-board.ts'
import { faultShape, seedShape } from './fault-shape.ts'
import type { Fault } from './fault-text.ts'
import { firstIssue, inWords } from './first-issue.ts'
import { refusal } from './refusal.ts'
import { type ApiRequest, jsonReply, type Reply } from './reply.ts'
import { jsonBody } from './request-body.ts'
import type { Route } from './router.ts'

/** Where the emulator itself is asked, which is no part of Herm; faults do not act here. */
export const CONTROL_PREFIX = '/_emulator/'

export interface FaultControl {
  faults(): FaultReport
  /** Puts these in force in place of all others; the seed stays when none is given. */
  setFaults(faults: readonly Fault[], seed?: number): FaultReport
  stats(): EmulatorStats
}

/** What really happened since the start, whatever clients were told. */
export interface EmulatorStats {
  /** Requests all of whose events were accepted. */
  readonly accepted: number
  /** Requests that the emulator refused, by code; what a fault refused is not among them. */
  readonly refused: Readonly<Record<string, number>>
  /** Finals in the histories, by tool-use id: a 2 is a duplicate. */
  readonly finals: Readonly<Record<string, number>>
  /** Streams that are open now. */
  readonly streams: number
  /** How often faults struck, by name. */
  readonly faults: Readonly<Record<string, number>>
}

export function createControlRoutes(control: FaultControl): Route[] {
  return [
    { method: 'GET', path: '/_emulator/faults', answer: () => jsonReply(200, control.faults()) },
    { method: 'PUT', path: '/_emulator/faults', answer: putFaults },
    { method: 'DELETE', path: '/_emulator/faults', answer: () => jsonReply(200, control.setFaults([])) },
    { method: 'GET', path: '/_emulator/stats', answer: () => jsonReply(200, control.stats()) },
  ]

  function putFaults(request: ApiRequest): Reply {
    const parsed = newFaults.safeParse(jsonBody(request), inWords)
    if (parsed.success) return jsonReply(200, control.setFaults(parsed.data.faults, parsed.data.seed))
    const { place, message } = firstIssue(parsed.error)
    throw refusal('invalid_request', `${place || 'the body'}: ${message}`)
  }
}

const newFaults = z.strictObject({ faults: z.array(faultShape), seed: z.optional(seedShape) })
