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
  showGlobalOptions: true,
  minWidthToWrap: 10,

  /** In a list of commands, their arguments say little and take much room. */
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),

  commandDescription: (command) => sentence(command.description()),

  /** Off is what every switch is without being given: nothing to mention. */
  optionDescription(this: Help, option) {
    return option.isBoolean() ? option.description : Help.prototype.optionDescription.call(this, option)
  },

  visibleGlobalOptions(this: Help, command: Command): Option[] {
    return Help.prototype.visibleGlobalOptions.call(this, command).filter(({ long }) => long !== '--version')
  },

  styleTitle: (title) => (title === 'Global Options:' ? 'Options of every command:' : title),

  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? NO_TERMINAL_WIDTH
    if (width - termWidth >= NARROWEST_BESIDE || description === '') {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper)
    }
    return `  ${term}\n${helper.boxWrap(description, width - 6).replace(/^/gm, '      ')}`
  },
}

function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
