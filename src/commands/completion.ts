import { Argument, Command } from 'commander'
import type { Context } from '../context.ts'
import { helpText } from './help-text.ts'

/** Each script asks the hidden command `__complete` what may come next; see completion-request.ts. */
const scripts = {
  bash: async () => (await import('./completion-bash.ts')).bashScript,
  zsh: async () => (await import('./completion-zsh.ts')).zshScript,
  fish: async () => (await import('./completion-fish.ts')).fishScript,
  powershell: async () => (await import('./completion-powershell.ts')).powershellScript,
} as const

export type Shell = keyof typeof scripts

export function completionCommand(context: Context, run = runCompletion): Command {
  return new Command('completion')
    .description('print the script with which a shell completes commands, flags and ids')
    .summary('print the script for completion in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      helpText({
        examples: [
          'eval "$(herm-tools completion bash)"',
          'eval "$(herm-tools completion zsh)"',
          'herm-tools completion fish | source',
          'herm-tools completion powershell | Out-String | Invoke-Expression',
        ],
        exits: { done: 'printed', usage: 'there is no script for this shell' },
        related: ['help files'],
      }),
    )
    .action((shell: Shell) => run(context, shell))
}

/** Prints the script as it is, with `--json` too: it is for the shell. */
async function runCompletion({ stdout }: Context, shell: Shell): Promise<void> {
  stdout.write(await scripts[shell]())
}
