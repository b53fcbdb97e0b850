import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'forks',
    // Most of the time a test waits for a process or a timer of its own.
    maxWorkers: availableParallelism() * 3,
    // Modules hold no state, so loading them once for each worker is enough.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
