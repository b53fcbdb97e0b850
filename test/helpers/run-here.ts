import { EventEmitter } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { main } from '../../src/main.ts'
import { type ToolEnd, type ToolOptions, toolEnd, withoutUnset } from './run-tool.ts'

/**
 * Runs a command of the program to its end in the test's own process, from the sources. For what is about what it prints and
 * leaves behind, and not about the process that it is: a start of the built program takes ten times as long. The
 * environment has nothing but what is given, and a HOME in which nothing can be read or written.
 */
export async function runHere(
  args: readonly string[],
  { env = {}, stdin = '' }: Pick<ToolOptions, 'env' | 'stdin'> = {},
): Promise<ToolEnd> {
  const stdout = collector()
  const stderr = collector()
  const { pid, platform, versions, geteuid, kill } = process
  const seeming = Object.assign(new EventEmitter(), {
    ...{ pid, platform, versions, geteuid, kill },
    argv: ['node', 'herm-tools', ...args],
    env: withoutUnset({ HOME: '/dev/null', ...env }),
    stdin: new PassThrough().end(stdin),
    stdout: stdout.stream,
    stderr: stderr.stream,
    exitCode: 0,
  })
  await main(seeming as unknown as NodeJS.Process)
  return toolEnd({ code: seeming.exitCode, signal: null, stdout: stdout.text(), stderr: stderr.text() })
}

/** What a command writes to, and what was written so far. */
function collector() {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
