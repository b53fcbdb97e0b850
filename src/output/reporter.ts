import type { ChalkInstance } from 'chalk'
import type { ToolRecord } from './record-types.ts'

/** One datum for stdout in its two forms. */
export interface Printable {
  /** One record; a string is JSON text that is printed as it is, such as the service's own. */
  readonly json: Readonly<ToolRecord> | string
  /**
   * For a person: one line or more without the last line break; undefined prints nothing. `columns` are those of the
   * terminal, where there is one.
   */
  readonly text: (style: ChalkInstance, columns?: number) => string | undefined
  /** The text is one: on a terminal it is broken between words. */
  readonly isSentence?: true
}

/** Where a command says things: data to stdout, everything else to stderr. */
export interface Reporter {
  /** `--json` was given. */
  readonly isJson: boolean
  /** What is printed may move: stdout is a terminal that can, and `--json` was not given. */
  readonly isAnimated: boolean
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
  /** Takes the bottom of the terminal for lines that change; at most once, and only where `isAnimated`. */
  openScreen(options: {
    /** Called by `done`, with the region gone: gives what of it is to stay. */
    readonly onEnd: () => readonly string[]
  }): Promise<Screen>
  /** The wait is over, and what moves comes to rest. To be called before the command ends. */
  done(): void
}

export interface Screen {
  readonly style: ChalkInstance
  columns(): number
  rows(): number
  /** Prints lines that stay, and puts others beneath all that is printed, in the place of those that stood there. */
  paint(lines: { printed: readonly string[]; open: readonly string[] }): void
}
