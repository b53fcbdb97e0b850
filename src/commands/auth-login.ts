import { Command } from 'commander'
import type { Context } from '../context.ts'
import { HermError } from '../errors.ts'
import { fromEnvironment } from '../store/setting-source.ts'
import type { Settings } from '../store/settings.ts'
import { helpText } from './help-text.ts'
import { newProfileNote, type OpenProfile, openProfile, understand } from './open-profile.ts'
import { readKey } from './read-key.ts'
import { type GlobalOptions, inWorkspace } from './workspace.ts'

export interface AuthLoginInput extends GlobalOptions {
  readonly withKey?: boolean
  /** False with `--no-verify`. */
  readonly verify: boolean
}

/** Lets any argument in and shows none: a key among them gets advice, and never an error that repeats it. */
export function authLoginCommand(context: Context, run = runAuthLogin): Command {
  return new Command('login')
    .description('check an API key and store it in the profile')
    .option('--with-key', 'read the key from standard input in place of a hidden prompt')
    .option('--no-verify', 'store the key without asking the service whether it is good')
    .addHelpText(
      'after',
      helpText({
        examples: [
          'herm-tools auth login',
          'herm-tools auth login --with-key < key.txt',
          'herm-tools auth login --profile staging --base-url https://api.staging.example',
        ],
        exits: {
          done: 'the key is stored',
          usage: 'no key, or no terminal to ask for one without --with-key',
          auth: 'the key was refused; nothing is stored',
          unreachable: 'the key could not be checked; nothing is stored',
        },
        related: ['auth status', 'auth logout', 'config set'],
      }),
    )
    .argument('[arguments...]')
    .usage('[options]')
    .allowUnknownOption()
    .action((_arguments: unknown, _options: unknown, self: Command) => {
      assertNoKey(self.args)
      return run(context, self.optsWithGlobals<AuthLoginInput>())
    })
}

/** Prints one `herm_tools.login`. Throws as readKey and verifyKey do, and then stores nothing. */
async function runAuthLogin(context: Context, input: AuthLoginInput): Promise<void> {
  await inWorkspace(context, input, async ({ reporter }) => {
    const onWarning = (message: string) => reporter.warn(message)
    const profile = await openProfile(context, { flags: input, onWarning, mayCreateProfile: true })
    const { baseUrl: service, caFile } = await serviceOf(context, input, profile)
    const key = await readKey(context, { fromStdin: input.withKey ?? false })
    await understand(profile.name.value, { apiKey: key })
    const debug = input.debug ? (line: string) => reporter.note(`debug: ${line}`) : undefined
    const { allowInsecureHttp } = input
    if (input.verify) {
      await verify(context, { baseUrl: service.value, apiKey: key, allowInsecureHttp, caFile, onWarning, debug })
    }
    // A key is for the service that it was given for: stored without its address, it would go to another one later.
    const baseUrl = service.origin === 'default' ? {} : { baseUrl: service.value }
    await profile.change((values) => ({ ...values, ...baseUrl, apiKey: key }))

    const { loginRecord } = await import('../output/describe-auth.ts')
    reporter.print(loginRecord({ profile, service, key, verified: input.verify }))
    const note = newProfileNote(profile)
    if (note !== undefined) reporter.note(note)
    if (fromEnvironment('PRISM_API_KEY', context.env)) {
      reporter.warn('PRISM_API_KEY is set, and wins over the key that is stored')
    }
  })
}

/** Where the key will be used and how that is reached, whatever else in profile and environment may be wrong. */
async function serviceOf(
  { env }: Context,
  { baseUrl, caFile, allowInsecureHttp }: AuthLoginInput,
  { name, values, path }: OpenProfile,
): Promise<Pick<Settings, 'baseUrl' | 'caFile'>> {
  const { resolveSettings } = await import('../store/settings.ts')
  return resolveSettings({
    flags: { profile: name.value, baseUrl, caFile, allowInsecureHttp },
    env: { HERM_BASE_URL: env.HERM_BASE_URL, HERM_CA_FILE: env.HERM_CA_FILE },
    config: { version: 1, profiles: { [name.value]: { baseUrl: values.baseUrl, caFile: values.caFile } } },
    configPath: path,
  })
}

async function verify(context: Context, options: Parameters<Context['client']>[0]): Promise<void> {
  const { verifyKey } = await import('../session/verify-key.ts')
  const client = await context.client(options)
  try {
    await verifyKey({ client, signal: context.signal })
  } finally {
    await client.close()
  }
}

/** Throws `usage` for arguments and options that the command does not have: most likely one of them is a key. */
function assertNoKey(args: readonly string[]): void {
  const [first] = args
  if (first === undefined) return
  if (args.length === 1 && /^--?[a-z-]+$/.test(first)) {
    throw new HermError('usage', `unknown option '${first}'`, { hint: 'See herm-tools auth login --help.' })
  }
  throw new HermError('usage', 'auth login takes no key as an argument: it is now in the shell history', {
    hint: 'Make a new key, or take this one out of the history; then give it to the prompt, or to --with-key.',
  })
}
