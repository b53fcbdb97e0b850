import { describe, expect, test } from 'vitest'
import type { HermError } from '../../src/errors.ts'
import type { ResultStatus } from '../../src/protocol/user-events.ts'
import type { Delivery } from '../../src/session/delivery.ts'
import { endWith } from '../../src/session/standing-result.ts'

const standing = {
  status: 'completed',
  digest: 'digest of done',
  eventId: 'evt_1',
  recordedAt: '2026-01-02T03:04:05.000Z',
}

function delivery(status: ResultStatus, digest: string): Delivery {
  return {
    key: { baseUrl: 'https://api.herm.run', sessionId: 'ses_1', toolUseId: 'toolu_1' },
    status,
    content: [],
    digest,
    timeoutMs: 1,
    settleMs: 1,
    resend: true,
    force: false,
  }
}

function failure(work: () => unknown): HermError {
  try {
    work()
  } catch (error) {
    return error as HermError
  }
  throw new Error('it did not fail')
}

describe('a delivery whose call has a result already', () => {
  test('is done when it is the same one', () => {
    const { key, status } = delivery('completed', standing.digest)
    const { eventId, recordedAt } = standing
    expect(endWith(delivery('completed', standing.digest), standing)).toEqual({
      outcome: 'already_recorded',
      key,
      status,
      eventId,
      recordedAt,
      turnsWaited: 0,
    })
  })

  test('is in conflict with another one, and says what stands there and what to do', () => {
    const error = failure(() => endWith(delivery('failed', 'another'), standing))
    expect(error).toMatchObject({ kind: 'conflict', hint: expect.stringMatching(/events ses_\w+ --type .*--force/) })
    expect(error.message).toContain('a different completed result is already recorded for toolu_1 as evt_1')
  })

  test('comes too late with a kickoff', () => {
    const error = failure(() => endWith(delivery('running', 'another'), standing))
    expect(error).toMatchObject({ kind: 'rejected', hint: expect.stringContaining('herm-tools jobs show toolu_1') })
    expect(error.message).toBe(
      'toolu_1 takes no kickoff any more: it is completed as evt_1, at 2026-01-02T03:04:05.000Z',
    )
  })
})
