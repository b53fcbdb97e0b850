import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import config from '../.config/rolldown.config.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the program's executable, built from the sources under test. */
    program: string
    /** For what V8 made of the program, which all its starts share. */
    cacheHome: string
  }
}

/** Builds the program as it is published, into a folder of this test run's own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'herm-tools-program-'))
  const bundle = await rolldown(config)
  await bundle.write({ ...(config.output as OutputOptions), dir: join(folder, 'dist') })
  await bundle.close()
  await cp('bin', join(folder, 'bin'), { recursive: true })
  await cp('package.json', join(folder, 'package.json'))
  project.provide('program', join(folder, 'bin', 'herm-tools.js'))
  project.provide('cacheHome', join(folder, 'cache'))
  return () => rm(folder, { recursive: true, force: true })
}
