import { onTestFinished } from 'vitest'
import { createHermClient } from '../../src/client/herm-client.ts'
import { HermError } from '../../src/errors.ts'
import { resultDigest } from '../../src/protocol/result-digest.ts'
import type { ResultStatus } from '../../src/protocol/user-events.ts'
import { deliverResult } from '../../src/session/deliver-result.ts'
import type { Delivery, DeliveryNote, DeliveryReport } from '../../src/session/delivery.ts'
import { fileJournal } from '../../src/store/file-journal.ts'
import type { JournalEntry } from '../../src/store/journal.ts'
import { processTable } from '../../src/store/process-table.ts'
import { CALL, deliveryStage, SESSION } from '../helpers/delivery-stage.ts'
import { type Behaviour, json } from '../helpers/scripted-server.ts'
import { whileTimePasses } from '../helpers/while-time-passes.ts'

export const SETTLE_MS = 10_000

/** Deliveries from this process to a session whose call has its kickoff, in the time of the test. */
export async function deliveryBench({ kickoff = true, answerLimitMs = 5 * 60_000 } = {}) {
  const stage = await deliveryStage({ answerLimitMs })
  if (kickoff) await stage.kickOff()
  const { clock } = stage.emulator
  const journal = fileJournal({
    directory: stage.home.stateDir,
    clock,
    processes: processTable(process),
    onWarning: (warning) => {
      throw new Error(warning)
    },
  })
  const client = createHermClient({
    baseUrl: stage.proxy.url,
    env: {},
    clock,
    random: () => 0,
    version: 'test',
    limits: { attemptMs: 20_000 },
  })
  onTestFinished(() => client.close())
  const key = { baseUrl: stage.proxy.url, sessionId: SESSION, toolUseId: CALL }
  const notes: DeliveryNote[] = []
  const stop = new AbortController()
  let onNote = (_note: DeliveryNote) => {}

  function deliver(
    resultStatus: ResultStatus,
    resultText: string,
    options: Partial<Delivery> = {},
  ): Promise<DeliveryReport> {
    const delivery: Delivery = {
      key,
      status: resultStatus,
      content: [{ type: 'text', text: resultText }],
      digest: resultDigest(resultStatus, resultText),
      timeoutMs: 10 * 60_000,
      settleMs: SETTLE_MS,
      resend: true,
      force: false,
      ...options,
    }
    const notify = (note: DeliveryNote) => {
      notes.push(note)
      onNote(note)
    }
    const context = { client, journal, clock, random: () => 0, signal: stop.signal, notify }
    return whileTimePasses(clock, deliverResult(context, delivery))
  }

  return {
    ...stage,
    clock,
    notes,
    deliver,
    complete: (options?: Partial<Delivery>) => deliver('completed', 'done', options),
    /** Does something when this is told. */
    onNote(kind: DeliveryNote['kind'], act: () => unknown) {
      onNote = (note) => {
        if (note.kind === kind) act()
      }
    },
    interrupt: () => stop.abort(new HermError('interrupted', 'interrupted')),
    /** The events as the history lists them now, on one page. */
    history: () => stage.emulator.control.events(SESSION).map(({ envelope }) => envelope),
    /** The kind of the error that a delivery ends with. */
    failure: (work: Promise<DeliveryReport>) =>
      work.then(
        () => 'none',
        (error) => (error instanceof HermError ? error.kind : String(error)),
      ),
    entry: () => journal.read(key),
    remember: (record: Pick<JournalEntry, 'intent' | 'final'>) => journal.update(key, () => record),
    /** From now on nothing can be written, as on a full disk. */
    fillDisk() {
      journal.update = () => Promise.reject(new HermError('failed', 'no space left on the device'))
    },
    /** Milliseconds that pass while the work is done. */
    async timed(work: () => Promise<unknown>) {
      const startedAt = clock.now()
      await work()
      return clock.now() - startedAt
    },
  }
}

/** Whether a request reads the history. */
export function isHistory({ url }: { url: string }): boolean {
  return /\/events(\?|$)/.test(url)
}

/** An answer with the service's code for a refusal. */
export function refused(code: string, status = 409): Behaviour {
  return json({ error: { code, message: 'no' } }, { status })
}
