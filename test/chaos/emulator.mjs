import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** The emulator of the built program, as a process of its own. */
export async function startEmulator({ program, scenarioFile, home }) {
  const child = spawn(
    process.execPath,
    [program, 'emulator', '--port', '0', '--json', '--quiet', '--answer-limit', '10h', '--scenario', scenarioFile],
    { env: { PATH: process.env.PATH, HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])
  if (typeof line !== 'string') throw new Error('the emulator did not start')
  const { url } = JSON.parse(line)

  return {
    url,
    stats: () => control('GET', 'stats'),
    setFaults: (faults, seed) => control('PUT', 'faults', { faults, seed }),
    kill: () => child.kill('SIGKILL'),
  }

  async function control(method, name, body) {
    const response = await fetch(`${url}/_emulator/${name}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${name}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}
