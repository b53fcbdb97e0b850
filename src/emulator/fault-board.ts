import type { Clock } from '../clock.ts'
import { type Chance, faultPoints } from './fault-points.ts'
import type { Fault } from './fault-text.ts'
import type { Answer } from './reply.ts'
import { seededRandom } from './seeded-random.ts'

/** The faults in force, and how often each had a chance and struck. */
export interface FaultReport {
  readonly seed: number
  readonly faults: readonly { readonly fault: string; readonly chances: number; readonly fired: number }[]
}

export interface FaultBoard {
  /** The emulator's answer, spoiled by the faults in force. */
  readonly answer: Answer
  /** Puts other faults in force; counts and luck begin anew. */
  replace(faults: readonly Fault[], seed?: number): FaultReport
  report(): FaultReport
  /** By name, how often faults struck since the start, those that are no longer in force included. */
  fired(): Readonly<Record<string, number>>
}

export interface FaultBoardOptions {
  readonly answer: Answer
  readonly clock: Clock
  /** Ends what faults have under way. */
  readonly stopped: AbortSignal
}

/** Without faults, its answer is the one it was given, at no cost. */
export function createFaultBoard({ answer, clock, stopped }: FaultBoardOptions): FaultBoard {
  const totals = new Map<string, number>()
  let inForce: readonly ArmedFault[] = []
  let seedInForce = DEFAULT_SEED
  let spoiled = answer

  return {
    answer: (request) => spoiled(request),
    replace(faults, seed = seedInForce) {
      seedInForce = seed
      inForce = faults.map((fault, index) => ({ fault, chances: 0, fired: 0, random: seededRandom(seed + index) }))
      spoiled = around(answer, inForce)
      return report()
    },
    report,
    fired: () => Object.fromEntries(totals),
  }

  function report(): FaultReport {
    const faults = inForce.map(({ fault, chances, fired }) => ({ fault: fault.text, chances, fired }))
    return { seed: seedInForce, faults }
  }

  /** At each point, the first in the list has its chance first. */
  function around(answer: Answer, armed: readonly ArmedFault[]): Answer {
    let spoiling = answer
    for (const [name, point] of Object.entries(faultPoints)) {
      const here = armed.filter(({ fault }) => fault.at === name)
      for (const one of point.outermostFirst ? here.reverse() : here) spoiling = point.around(spoiling, chanceOf(one))
    }
    return spoiling
  }

  function chanceOf(armed: ArmedFault): Chance {
    const { name, act } = armed.fault
    return (request, next) => {
      if (!strikes(armed)) return next(request)
      totals.set(name, (totals.get(name) ?? 0) + 1)
      request.notes.push(`fault:${name}`)
      return act({ request, next, clock, stopped })
    }
  }
}

/** A run without a seed is repeated like any other. */
const DEFAULT_SEED = 1

interface ArmedFault {
  readonly fault: Fault
  /** Its own, drawn from at every chance: what the nth chance brings depends on no other fault. */
  readonly random: () => number
  chances: number
  fired: number
}

function strikes(armed: ArmedFault): boolean {
  const { probability, count, after } = armed.fault
  const isLucky = armed.random() < probability
  armed.chances += 1
  if (!isLucky || armed.chances <= after || armed.fired >= count) return false
  armed.fired += 1
  return true
}
