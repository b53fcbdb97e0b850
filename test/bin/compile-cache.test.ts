import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { runTool, startTool } from '../helpers/run-tool.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** Runs a command with a cache of its own; `files` gives what is kept of the program, by name, with the time of writing. */
function withCache() {
  const cacheHome = temporaryFolder()
  const folder = join(cacheHome, 'herm-tools')
  const builds = () => (existsSync(folder) ? readdirSync(folder) : [])
  return {
    folder,
    builds,
    run: (args = ['help', 'exit-codes'], env = {}) => runTool(args, { env: { XDG_CACHE_HOME: cacheHome, ...env } }),
    start: (args: readonly string[]) => startTool(args, { env: { XDG_CACHE_HOME: cacheHome } }),
    files() {
      const build = join(folder, builds()[0] ?? '')
      return Object.fromEntries(
        readdirSync(build, { recursive: true, encoding: 'utf8' })
          .map((name) => join(build, name))
          .filter((path) => statSync(path).isFile())
          .map((path) => [path, statSync(path).mtimeMs]),
      )
    },
  }
}

describe('what V8 made of the program', () => {
  it('is kept by the first run, and read by the next', async () => {
    const { run, files, folder } = withCache()
    const first = await run()
    const kept = files()
    expect(Object.keys(kept).length).toBeGreaterThan(3)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const second = await run()
    expect({ code: second.code, stdout: second.stdout, stderr: second.stderr }).toEqual({
      code: 0,
      stdout: first.stdout,
      stderr: '',
    })
    expect(files()).toEqual(kept)
  })

  it('needs no import(), which what is read from there could not do', () => {
    const dist = join(dirname(inject('program')), '../dist')
    const chunks = readdirSync(dist).filter((name) => name.endsWith('.cjs'))
    expect(chunks.length).toBeGreaterThan(10)
    for (const name of chunks) expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(/\bimport\(/)
  })

  it('is made again where it is spoiled', async () => {
    const { run, files } = withCache()
    const first = await run()
    const whole = new Map(Object.keys(files()).map((path) => [path, readFileSync(path)]))
    for (const [path, bytes] of whole) writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    expect(await run()).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' })
    for (const [path, bytes] of whole) expect(readFileSync(path).length).toBeGreaterThan(bytes.length / 2)
  })

  it('is not run where a bit of it has changed', async () => {
    const { run, files } = withCache()
    const first = await run()
    for (const path of Object.keys(files())) {
      const bytes = readFileSync(path)
      for (const at of [0, 8, bytes.length >> 1, bytes.length - 1]) bytes[at] = (bytes[at] ?? 0) ^ 0x10
      writeFileSync(path, bytes)
    }
    expect(await run()).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' })
    expect(await run()).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' })
  })

  it('may be deleted while the program runs', async () => {
    const { folder, start } = withCache()
    const emulator = start(['emulator', '--port', '0', '--quiet'])
    await emulator.says(/http/)
    rmSync(folder, { recursive: true })
    emulator.child.kill('SIGTERM')
    expect(await emulator.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('is kept by several at once without harm', async () => {
    const { run, files } = withCache()
    const ends = await Promise.all(Array.from({ length: 4 }, () => run()))
    for (const end of ends) expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(Object.keys(files()).filter((path) => !path.endsWith('.bin') && !/\.[0-9a-f]+$/.test(path))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('is not read where another user may write', async () => {
    const { run, files, folder, builds } = withCache()
    await run()
    const kept = files()
    chmodSync(join(folder, builds()[0] ?? ''), 0o777)
    for (const path of Object.keys(kept)) writeFileSync(path, 'not a cache')
    const after = files()
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect(files()).toEqual(after)
  })

  it('is not kept where Node.js is told so, nor where nothing can be written', async () => {
    const { run, builds } = withCache()
    expect(await run(['--version'], { NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ code: 0, stderr: '' })
    expect(builds()).toEqual([])
    for (const folder of ['/dev/null', '/proc', '/proc/1/x']) {
      expect(await run(['--version'], { XDG_CACHE_HOME: folder })).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('of builds that are used no more is forgotten', async () => {
    const { run, folder, builds } = withCache()
    for (let at = 0; at < 12; at++) mkdirSync(join(folder, `v0-${at}`), { recursive: true })
    await run()
    expect(builds()).toHaveLength(8)
    expect(builds().filter((name) => name.startsWith(process.version))).toHaveLength(1)
  })

  it('leaves nothing half written on a full disk', async ({ skip }) => {
    const { run, folder, builds } = withCache()
    await run()
    const build = join(folder, builds()[0] ?? '')
    for (const name of readdirSync(build)) rmSync(join(build, name), { recursive: true })
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', build]).status !== 0)
      skip('a small disk takes root')
    onTestFinished(() => void spawnSync('umount', [build]))
    chmodSync(build, 0o700)
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(build).filter((name) => !name.endsWith('.bin'))).toEqual([])
  })
})
