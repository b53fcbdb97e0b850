import { expect, it } from 'vitest'
import { runHere } from '../helpers/run-here.ts'
import { runTool } from '../helpers/run-tool.ts'

it.each([
  // Commands and subcommands.
  ['wach', "unknown command 'wach'", 'Did you mean watch?'],
  ['kickof', "unknown command 'kickof'", 'Did you mean kickoff?'],
  ['auth logn', "unknown command 'logn'", 'Did you mean login?'],
  ['wach --help', 'there is no help for "wach"', /^Did you mean herm-tools help watch\? The topics are /],
  ['auth logn --help', 'there is no help for "logn"', 'Did you mean herm-tools help auth login?'],
  ['xyzzy', "unknown command 'xyzzy'", 'See herm-tools --help.'],
  // The same word in another place.
  ['version', "unknown command 'version'", 'Did you mean herm-tools --version?'],
  ['login', "unknown command 'login'", 'Did you mean herm-tools auth login?'],
  ['exit-codes', "unknown command 'exit-codes'", 'Did you mean herm-tools help exit-codes?'],
  ['auth files', "unknown command 'files'", 'Did you mean herm-tools help files?'],
  ['forget call_1', "unknown command 'forget'", 'Did you mean herm-tools jobs forget?'],
  // Options.
  ['wait --timeot 3s', "unknown option '--timeot'", 'Did you mean --timeout?'],
  ['pending --exitcode', "unknown option '--exitcode'", 'Did you mean --exit-code?'],
  ['complete --tool-use-ids a', "unknown option '--tool-use-ids'", 'Did you mean --tool-use-id?'],
  ['complete --toolUseId a', "unknown option '--toolUseId'", 'Did you mean --tool-use-id?'],
  ['complete --tool_use_id=a', "unknown option '--tool_use_id=a'", 'Did you mean --tool-use-id?'],
  ['watch --jsn', "unknown option '--jsn'", 'Did you mean --json?'],
  ['watch -x', "unknown option '-x'", 'See herm-tools watch --help.'],
  // Values.
  ['completion fsh', /^command-argument value 'fsh' is invalid/, /^Did you mean one of fish, zsh\? Choose from bash, /],
  ['completion tcsh', /^command-argument value 'tcsh' is invalid/, /Choose from bash, zsh, fish, powershell\.$/],
  ['config get sesion', 'there is no setting "sesion"', /^Did you mean session\? The settings are /],
  ['emulator --fault post-ct', 'there is no fault "post-ct"', /^Did you mean post-cut\? The faults are /],
  // An id that stands where other commands take it.
  ['complete call_1', /^too many arguments for 'complete'/, 'Write herm-tools complete --tool-use-id call_1.'],
  ['kickoff call_1 --text x', /^too many arguments for 'running'/, 'Write herm-tools running --tool-use-id call_1.'],
  ['complete a --tool-use-id b', /^too many arguments for 'complete'/, 'See herm-tools complete --help.'],
  ['jobs show', "missing required argument 'tool-use-id'", 'See herm-tools jobs show --help.'],
])('herm-tools %s', async (line, message, hint) => {
  const end = await runHere([...line.split(' '), '--json'])
  expect(end).toMatchObject({ code: 2, stdout: '' })
  const error = JSON.parse(end.stderr)
  expect(error).toEqual({
    type: 'herm_tools.error',
    code: 'usage',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
    exit_code: 2,
  })
})

it('a hint never makes a command of what was typed', async () => {
  const end = await runTool(['complete', '$(touch x); y'])
  expect(end.stderr).toContain("hint: Write herm-tools complete --tool-use-id '$(touch x); y'.\n")
})
