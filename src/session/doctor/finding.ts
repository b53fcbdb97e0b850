import type { HermClient } from '../../client/herm-client.ts'
import type { Probe } from '../../client/probe.ts'
import type { Clock } from '../../clock.ts'
import type { ErrorKind } from '../../errors.ts'
import { shellWord } from '../../protocol/shell-word.ts'
import type { ConfigStore } from '../../store/config.ts'
import type { Journal } from '../../store/journal.ts'
import type { Look } from '../../store/look-at.ts'
import type { Settings } from '../../store/settings.ts'

/** What a check has to say. */
export interface Finding {
  /** `skipped`: what it needs is not there. */
  readonly outcome: 'ok' | 'warning' | 'problem' | 'skipped'
  readonly found: string
  /** What to do about it. */
  readonly advice?: string | undefined
  /** What was measured, for programs. */
  readonly facts?: Facts | undefined
  /** Of a problem. */
  readonly kind?: ErrorKind | undefined
}

export type Facts = Readonly<Record<string, string | number | string[] | null>>

/** What the checks look at. The last three are made by the first check that asks for them. */
export interface Installation {
  /** Of herm-tools. */
  readonly version: string
  readonly runtime: { readonly node: string; readonly userId: number | undefined }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folders: { readonly config: string; readonly state: string }
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly config: ConfigStore
  readonly journal: Journal
  /** Throws as loadSettings does. */
  settings(): Promise<Settings>
  /** With the key, if there is one. Throws as readCaFile and createHttp do. */
  client(): Promise<HermClient>
  /** The one request that several checks are about. */
  probe(): Promise<Probe>
}

export function ok(found: string, facts?: Facts): Finding {
  return { outcome: 'ok', found, facts }
}

export function warning(found: string, advice: string, facts?: Facts): Finding {
  return { outcome: 'warning', found, advice, facts }
}

export function problem(found: string, advice: string | undefined, kind: ErrorKind = 'failed'): Finding {
  return { outcome: 'problem', found, advice, kind }
}

/** Of a file or a folder that holds what is nobody else's business. */
export function openToOthers(path: string, { mode, isFolder }: Look): Finding {
  const shown = (mode & 0o777).toString(8)
  return warning(
    `${path} is open to other users (mode ${shown})`,
    `Run: chmod ${isFolder ? 700 : 600} ${shellWord(path)}`,
  )
}

export function skipped(found: string): Finding {
  return { outcome: 'skipped', found }
}
