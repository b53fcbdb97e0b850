import { type Command, Help, type HelpConfiguration, type Option } from 'commander'

/** Columns of help: as many as the terminal has, but no line so long that the eye loses it; 80 where there is no terminal. */
export function helpWidth({ columns }: { readonly columns?: number }): number {
  return Math.min(columns ?? NO_TERMINAL_WIDTH, WIDEST)
}

const NO_TERMINAL_WIDTH = 80
const WIDEST = 100
/** With fewer columns beside the names, descriptions stand below them. */
const NARROWEST_BESIDE = 36

/** How `--help` looks. */
export const helpFormat: HelpConfiguration = {
  minWidthToWrap: 10,

  /** In a list of commands, their arguments say little and take much room. */
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),

  commandDescription: (command) => sentence(command.description()),

  /** Off is what every switch is without being given: nothing to mention. */
  optionDescription(this: Help, option) {
    return option.isBoolean() ? option.description : Help.prototype.optionDescription.call(this, option)
  },

  /** The end of a command's help names them (help-text.ts); what each is for stands in that of the program alone. */
  visibleGlobalOptions(this: Help, { parent }: Command): Option[] {
    if (parent === null) return []
    return [...this.visibleOptions(parent).filter(isForAll), ...this.visibleGlobalOptions(parent)]
  },

  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? NO_TERMINAL_WIDTH
    if (width - termWidth >= NARROWEST_BESIDE || description === '') {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper)
    }
    return `  ${term}\n${helper.boxWrap(description, width - 6).replace(/^/gm, '      ')}`
  },
}

/** These two are about the command before them. */
function isForAll({ long }: Option): boolean {
  return long !== '--version' && long !== '--help'
}

function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
