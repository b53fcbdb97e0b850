import { deadline } from '../../clock.ts'
import { type ErrorKind, HermError } from '../../errors.ts'
import { checkCertificates } from './check-certificates.ts'
import { checkConfigFile, checkConfigFolder } from './check-config.ts'
import { checkJournal } from './check-journal.ts'
import { checkClock, checkConnection, checkHostName, checkProxy } from './check-network.ts'
import { checkRequest, checkStream } from './check-service.ts'
import { checkKey, checkService, checkSettings } from './check-settings.ts'
import { checkStateFolder } from './check-state.ts'
import { checkVersion } from './check-version.ts'
import { type Finding, type Installation, problem, skipped } from './finding.ts'

export interface Check extends Finding {
  readonly name: string
}

/**
 * Looks at everything that a command needs, from the ground up, one after the other. Changes nothing: one file is written
 * to see whether it can be, and is removed at once. What goes wrong is a finding; throws the signal's reason alone.
 */
export async function* examine(installation: Installation): AsyncGenerator<Check, void> {
  const unusable = new Set<string>()
  for (const step of steps) {
    const { name, needs = [] } = step
    const missing = needs.find((need) => unusable.has(need))
    const finding =
      missing === undefined
        ? await withinLimit(installation, step)
        : skipped(`not looked at: it needs the ${missing.replace('_', ' ')}`)
    if (finding.outcome === 'problem' || finding.outcome === 'skipped') unusable.add(name)
    yield { name, ...finding }
  }
}

interface Step {
  readonly name: string
  /** Skipped when one of these found a problem, or was skipped itself. */
  readonly needs?: readonly string[]
  readonly run: (installation: Installation) => Promise<Finding>
  /** Of the problem that it did not end; `failed` when left out. */
  readonly endless?: ErrorKind
}

const steps: readonly Step[] = [
  { name: 'version', run: checkVersion },
  { name: 'config_folder', run: checkConfigFolder },
  { name: 'config_file', needs: ['config_folder'], run: checkConfigFile },
  { name: 'state_folder', run: checkStateFolder },
  { name: 'journal', run: checkJournal },
  { name: 'settings', needs: ['config_file'], run: checkSettings },
  { name: 'service', needs: ['settings'], run: checkService },
  { name: 'key', needs: ['settings'], run: checkKey },
  { name: 'proxy', needs: ['service'], run: checkProxy },
  { name: 'certificates', needs: ['service'], run: checkCertificates },
  { name: 'host_name', needs: ['proxy'], run: checkHostName, endless: 'unreachable' },
  { name: 'connection', needs: ['host_name', 'certificates'], run: checkConnection, endless: 'unreachable' },
  { name: 'clock', needs: ['connection'], run: checkClock, endless: 'unreachable' },
  { name: 'request', needs: ['connection', 'key'], run: checkRequest, endless: 'unreachable' },
  { name: 'stream', needs: ['request'], run: checkStream, endless: 'unreachable' },
]

async function withinLimit(installation: Installation, { run, endless = 'failed' }: Step): Promise<Finding> {
  const { clock, signal } = installation
  const reason = () => new HermError(endless, `it did not end within ${CHECK_LIMIT_MS / 1000} s`)
  const limit = deadline({ clock, ms: CHECK_LIMIT_MS, reason, parent: signal })
  try {
    return await Promise.race([run(installation), whenAborted(limit.signal)])
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HermError) return problem(error.message, error.hint, error.kind)
    return problem(error instanceof Error ? error.message : String(error), undefined)
  } finally {
    limit.dispose()
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Longer than the client's own limits for a connection, which say more; a name or a disk may take for ever. */
const CHECK_LIMIT_MS = 15_000
