import type { ChalkInstance } from 'chalk'

/** One datum for stdout in its two forms. */
export interface Printable {
  /** One record; a string is the service's own JSON text, printed as it is. */
  readonly json: Readonly<Record<string, unknown>> | string
  /** For a person: one line or more without the last line break; undefined prints nothing. */
  readonly text: (style: ChalkInstance) => string | undefined
}

/** Where a command says things: data to stdout, everything else to stderr. */
export interface Reporter {
  /** `--json` was given. */
  readonly isJson: boolean
  print(datum: Printable): void
  /**
   * Resolves once all that was printed has left this process: a reader that is slow is waited for, and not buffered for.
   * Rejects with the signal's reason.
   */
  written(signal: AbortSignal): Promise<void>
  /** Something worth knowing on the way; nothing with `--quiet`. */
  note(text: string): void
  /** Something that the user should act on; also with `--quiet`. */
  warn(text: string): void
  /** What is being waited for: an animation on a terminal, elsewhere one line for each change. */
  waiting(text: string): void
  /** The wait is over. To be called before the command ends. */
  done(): void
}
