import { onTestFinished } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts'
import { parseFault } from '../../src/emulator/fault-text.ts'
import { parseScenario } from '../../src/emulator/scenario.ts'
import { type TestClock, testClock } from './test-clock.ts'

export interface StartedEmulator extends Pick<Emulator, 'control' | 'close'> {
  /** The base URL, without a slash at the end. */
  readonly url: string
  /** The emulator's time: it stands still until the test moves it. */
  readonly clock: TestClock
}

export interface StartOptions extends Omit<EmulatorOptions, 'clock' | 'scenario' | 'faults'> {
  readonly clock?: TestClock
  /** As `--fault` takes them. */
  readonly faults?: readonly string[]
  /** YAML; the built-in scenario when left out. */
  readonly scenario?: string
  /** A free one when left out. */
  readonly port?: number
}

/** Starts an emulator on the loopback; it is closed when the test that called this is finished. */
export async function startEmulator({
  scenario,
  clock = testClock(),
  faults = [],
  port = 0,
  ...options
}: StartOptions = {}): Promise<StartedEmulator> {
  const emulator = createEmulator({
    ...options,
    clock,
    faults: faults.map((text) => parseFault(text)),
    scenario: scenario === undefined ? undefined : parseScenario(scenario),
  })
  onTestFinished(() => emulator.close())
  const { url } = await emulator.listen({ port })
  return { url, clock, control: emulator.control, close: emulator.close }
}
