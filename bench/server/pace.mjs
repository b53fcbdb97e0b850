import { setTimeout as sleep } from 'node:timers/promises'

/** Calls `send(index)` for each of the events when it is due; a late one is sent at once, so that the rate holds. */
export async function pace({ perSecond, events }, send) {
  const startedAt = performance.now()
  for (let sent = 0; sent < events; ) {
    const due = Math.min(events, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000) + 1)
    while (sent < due) send(sent++)
    await sleep(1)
  }
}
