import { once } from 'node:events'
import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { didYouMean } from './did-you-mean.ts'
import { helpText } from './help-text.ts'
import { integerOption } from './integer-option.ts'
import { collect, parseWait } from './parse-options.ts'
import { readScenario } from './read-scenario.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface EmulatorInput extends GlobalOptions {
  readonly port: number
  readonly host: string
  readonly key?: string
  readonly scenario?: string
  /** Milliseconds. */
  readonly answerLimit?: number
  /** Faults as docs/emulator.md describes them. */
  readonly fault?: readonly string[]
  readonly seed?: number
  readonly verbose?: boolean
}

export function emulatorCommand(context: Context, run = runEmulator): Command {
  return new Command('emulator')
    .description('run a local Herm with scripted agents, for demos, tests and CI')
    .summary('run a local Herm, for trying things, tests and CI')
    .option(
      '--port <port>',
      'where it listens; 0 takes a free port',
      integerOption({ min: 0, max: 65_535 }),
      DEFAULT_PORT,
    )
    .option('--host <address>', 'on which address it listens', '127.0.0.1')
    .option('--key <key>', 'the test key that requests must carry (default: none is needed)')
    .option('--scenario <file>', 'what its agents do, in YAML (default: a built-in agent that renders videos)')
    .option('--answer-limit <duration>', 'how long a turn waits for the answer to a call (default: 5m)', parseWait)
    .option('--fault <fault>', 'what shall go wrong, such as accepted-cut,p=0.3; once for each', collect)
    .option(
      '--seed <number>',
      'where the luck of faults begins (default: 1)',
      integerOption({ min: 0, max: 2 ** 31 - 1 }),
    )
    .option('--verbose', 'one line on stderr for each request')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools emulator',
          'herm-tools emulator --port 0 --scenario film.yaml --verbose',
          'herm-tools emulator --fault accepted-cut,p=0.2 --fault stream-closed=30s --seed 7',
          'HERM_BASE_URL=http://127.0.0.1:8787 herm-tools sessions list',
        ],
        exits: {
          done: 'it was stopped with Ctrl-C or SIGTERM',
          failed: 'the port is taken',
          usage: 'the scenario cannot be read, or has a mistake in it, or there is no such fault',
        },
        related: ['sessions list', 'watch', 'help environment'],
      }),
    )
    .action((_options: unknown, self: Command) => run(context, self.optsWithGlobals<EmulatorInput>()))
}

/**
 * Prints its URL, or one `herm_tools.emulator`, once it listens, and runs until it is interrupted or terminated, which is
 * its regular end. Throws `usage` for the scenario, a fault or the address, and `failed` when the port cannot be had.
 */
async function runEmulator(context: Context, input: EmulatorInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const [{ createEmulator }, { parseFault }, { countingIds }] = await Promise.all([
      import('../emulator/emulator.ts'),
      import('../emulator/fault-text.ts'),
      import('../emulator/ids.ts'),
    ])
    const emulator = createEmulator({
      clock: context.clock,
      scenario: input.scenario === undefined ? undefined : await readScenario(input.scenario, context.signal),
      apiKey: input.key,
      answerLimitMs: input.answerLimit,
      faults: input.fault?.map((text) => parseFault(text, didYouMean)),
      seed: input.seed,
      newId: countingIds(input.seed === undefined ? markOf(context) : ''),
      log: input.verbose ? (line) => reporter.note(line) : undefined,
    })
    try {
      const { url } = await emulator.listen(input).catch((error) => {
        throw listenError(input, error)
      })
      reporter.print({ json: { type: 'herm_tools.emulator', url }, text: () => url })
      reporter.note(
        `use it with: export HERM_BASE_URL=${url}${input.key === undefined ? '' : ', and its key in PRISM_API_KEY'}`,
      )
      if (!context.signal.aborted) await once(context.signal, 'abort')
    } finally {
      await emulator.close()
    }
    const { reason } = context.signal
    if (!(reason instanceof HermError)) throw reason
  })
}

const DEFAULT_PORT = 8787

/** Four characters that tell the tool-use ids of one start from those of another, as a journal on this machine must. */
function markOf({ random }: Context): string {
  return Math.floor(random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0')
}

function listenError({ host, port }: EmulatorInput, cause: NodeJS.ErrnoException): HermError {
  const isAddress = cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND'
  const reason = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message
  return new HermError(isAddress ? 'usage' : 'failed', `cannot listen on ${host}, port ${port}: ${reason}`, {
    hint: isAddress
      ? 'Give --host an address of this machine.'
      : 'Take a free port with --port 0, or name another one.',
    cause,
  })
}
