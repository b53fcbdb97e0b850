import type { Command, Option } from 'commander'

/** Where on the command line the cursor is. */
export interface Position {
  readonly command: Command
  /** The words so far that are no commands, no flags and no values of flags. */
  readonly operands: readonly string[]
  /** What is typed so far as the value of a flag, by the flag, such as `--profile`. */
  readonly flags: Readonly<Record<string, string>>
  /** The flag whose value is due. */
  readonly expects: Option | undefined
  /** After `--`, nothing is a flag any more. */
  readonly isLiteral: boolean
}

/** Where the words behind `herm-tools` lead, as commander would read them. */
export function positionAfter(words: readonly string[], program: Command): Position {
  let command = program
  let expects: Option | undefined
  let isLiteral = false
  const operands: string[] = []
  const flags: Record<string, string> = {}
  for (const word of words) {
    const child = findChild(command, word)
    if (expects !== undefined) {
      flags[expects.long ?? ''] = word
      expects = undefined
    } else if (word === '--' && !isLiteral) {
      isLiteral = true
    } else if (/^-./.test(word) && !isLiteral) {
      const [name = '', value] = word.split('=', 2)
      if (value === undefined) expects = flagWithValue(command, name)
      else flags[name] = value
    } else if (child !== undefined && operands.length === 0) {
      command = child
    } else {
      operands.push(word)
    }
  }
  return { command, operands, flags, expects, isLiteral }
}

export function findChild(command: Command, word: string): Command | undefined {
  return command.commands.find((child) => child.name() === word || child.aliases().includes(word))
}

/** The option of this flag, where it takes a value. */
export function flagWithValue(command: Command, flag: string): Option | undefined {
  return visibleOptions(command).find((option) => option.required && (option.long === flag || option.short === flag))
}

/** Of the command, and those of every command. */
export function visibleOptions(command: Command): Option[] {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}
