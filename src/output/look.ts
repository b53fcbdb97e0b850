import type { ChalkInstance } from 'chalk'

/** For what, and at which moment, lines of the view are drawn. */
export interface Look {
  readonly style: ChalkInstance
  /** Terminal columns that a line may take. */
  readonly width: number
  /** The service's time, in milliseconds since the epoch. */
  readonly now: number
  /** Counts up as time passes: what turns is drawn by it. */
  readonly frame: number
}

/** The sign of something that goes on. */
export function spinner({ frame, style }: Look): string {
  return style.cyan(FRAMES[frame % FRAMES.length] ?? '')
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
