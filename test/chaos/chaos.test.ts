import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

/** The short run of `npm run chaos`; docs/reliability.md has the table of a long one. */
test('sixty finals through faults and kills: none lost, none twice, no exit code that lies', {
  timeout: 110_000,
}, async () => {
  const chaos = fileURLToPath(new URL('chaos.mjs', import.meta.url))
  const args = [chaos, '--finals', '60', '--seed', '11', '--workers', '8', '--program', inject('program')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  }
  const [code] = await once(child, 'close')
  expect(said).toMatch(/^finals +60$/m)
  for (const name of ['duplicates', 'lost', 'false successes', 'false failures', 'stuck']) {
    expect(said).toMatch(new RegExp(`^${name} +0$`, 'm'))
  }
  expect(Number(/^kills +(\d+)$/m.exec(said)?.[1])).toBeGreaterThan(5)
  expect(code).toBe(0)
})
