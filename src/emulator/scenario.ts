import { LineCounter, parseDocument } from 'yaml'
import { HermError } from '../errors.ts'
import { firstIssue, inWords } from './first-issue.ts'
import { type Scenario, scenarioShape } from './scenario-shape.ts'

/** Reads a scenario in YAML. Throws `usage`, naming the file, the line and the place in the data. */
export function parseScenario(text: string, fileName = 'the scenario'): Scenario {
  const lines = new LineCounter()
  const document = understood(() => parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }))
  const [syntaxError] = document.errors
  if (syntaxError !== undefined) {
    throw unreadable(fileName, lines.linePos(syntaxError.pos[0]).line, syntaxError.message)
  }
  const data: unknown = understood(() => document.toJS())
  const parsed = scenarioShape.safeParse(data ?? {}, inWords)
  if (parsed.success) return parsed.data
  const { place, path, message } = firstIssue(parsed.error)
  throw unreadable(fileName, lines.linePos(offsetOf(path)).line, `${place}: ${message}`)

  /** An alias that leads nowhere, or to too much, is met only here, and so is what is nested too deeply to be followed. */
  function understood<T>(read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw unreadable(fileName, 1, cause instanceof RangeError ? 'it is nested too deeply' : (cause as Error).message)
    }
  }

  /** Where the value stands, or the nearest thing around it when the value is missing. */
  function offsetOf(path: readonly PropertyKey[]): number {
    const node = document.getIn(path, true) as { range?: [number, number, number] | null } | undefined
    if (node?.range) return node.range[0]
    return path.length === 0 ? 0 : offsetOf(path.slice(0, -1))
  }
}

function unreadable(fileName: string, line: number, what: string): HermError {
  return new HermError('usage', `${fileName}, line ${line}: ${what}`, {
    hint: 'docs/emulator.md describes what a scenario holds.',
  })
}
