import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { askHidden } from '../../src/commands/hidden-prompt.ts'
import { HermError } from '../../src/errors.ts'

/** What a person types into the prompt, key by key; readline treats a stream like a terminal when it is told to. */
function ask({ stdin = new PassThrough() }: { stdin?: PassThrough }, ...typed: string[]) {
  const stderr = new PassThrough()
  const stop = new AbortController()
  const answer = askHidden(
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      signal: stop.signal,
    },
    'Key: ',
  )
  // Seen at once, so that a rejection before the test awaits it is not an unhandled one.
  answer.catch(() => {})
  for (const keys of typed) stdin.write(keys)
  return { answer, stdin, stop, shown: () => String(stderr.read()) }
}

it.each([
  ['typed', ['k', 'e', 'y', '\r']],
  ['pasted with its line break', ['key\n']],
  ['pasted with line breaks before it', ['\n', '  \r\nkey\r\n']],
  ['corrected with backspace', ['kex\x7fy\r']],
  ['begun again after Ctrl-U', ['wrong\x15key\r']],
  ['pasted in brackets', ['\x1b[200~key\x1b[201~\r']],
])('takes a line that is %s, and shows nothing of it', async (_name, typed) => {
  const { answer, shown } = ask({}, ...typed)
  expect(await answer).toBe('key')
  expect(shown()).toBe('Key: \n')
})

it.each([
  ['Enter', 'key\r'],
  ['Ctrl-C', 'ke\x03'],
  ['Ctrl-D', '\x04'],
])('gives the terminal back as it was, at %s', async (_name, typed) => {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => void modes.push(mode) })
  const answer = ask({ stdin }, typed).answer
  await answer.catch(() => undefined)
  expect(modes).toEqual([true, false])
})

it('ends at Ctrl-C as interrupted', async () => {
  await expect(ask({}, 'ke', '\x03').answer).rejects.toMatchObject({ kind: 'interrupted', exitCode: 130 })
})

it('ends at Ctrl-D and at the end of the input', async () => {
  await expect(ask({}, '\x04').answer).rejects.toMatchObject({ kind: 'usage' })
  const { answer, stdin } = ask({})
  stdin.end()
  await expect(answer).rejects.toMatchObject({ kind: 'usage' })
})

it('ends with the reason of the signal', async () => {
  const { answer, stop } = ask({}, 'ke')
  await setImmediate()
  const reason = new HermError('terminated', 'terminated')
  stop.abort(reason)
  await expect(answer).rejects.toBe(reason)
})
