import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'rolldown'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * What a dependency loads at its start and does not use here, and what stands in its place: loading all of it is a tenth of
 * a short command's time.
 */
const replaced: Readonly<Record<string, { by: RegExp; code: string }>> = {
  // For subcommands that are programs of their own.
  'node:child_process': { by: /\/commander\//, code: 'module.exports = {}' },
  // For HTTP/2, which the client does not speak, for one number, and for a check of what is sent as a body.
  'node:http2': { by: /\/undici\//, code: 'module.exports = { constants: {} }' },
  'node:http': { by: /\/undici\//, code: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }' },
  // It is given the calls that it may use.
  'graceful-fs': { by: /\/proper-lockfile\//, code: 'module.exports = require("node:fs")' },
  // It listens to every signal. Those that ask for an end are listened to already, and whoever wants the lock of a process
  // that any other has ended takes it over.
  'signal-exit': { by: /\/proper-lockfile\//, code: 'module.exports = (end) => process.once("exit", end)' },
}

const withReplaced: Plugin = {
  name: 'with-replaced',
  resolveId(id, importer = '') {
    return replaced[id]?.by.test(importer.replaceAll('\\', '/')) ? `\0replaced:${id}` : undefined
  },
  load(id) {
    const found = id.startsWith('\0replaced:') ? replaced[id.slice('\0replaced:'.length)] : undefined
    return found && { code: found.code, moduleType: 'js' }
  },
}

/** V8 keeps a file with one character beyond ASCII in twice the room, and takes longer to start it. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      if (/\braw`[^`]*[^\0-\x7f]/.test(chunk.code))
        throw new Error(`${chunk.fileName}: an escape in raw text is no escape`)
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}

// One entry, dependencies included; every dynamic import() becomes a chunk that only its command loads. CommonJS, since
// Node.js starts it faster than ES modules.
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  resolve: { alias: { undici$: here('undici-parts.cjs'), './client-h1.js': here('parser-compiled-once.cjs') } },
  plugins: [withReplaced, inAscii],
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    // Of modules of Node.js too: what is compiled from a cache cannot import().
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // What is always loaded together is one file: to find and read some fifty small ones takes as long as Node.js to start.
    codeSplitting: {
      groups: [
        { name: 'main', priority: 3, test: /\/src\/main\.ts$/ },
        { name: 'terminal', priority: 2, test: /\/src\/(output\/(create-reporter|report-error)|client\/redact)\.ts$/ },
        {
          name: 'store',
          priority: 1,
          test: /\/src\/store\/(settings|config|file-journal|process-table|directories)\.ts$/,
        },
        {
          name: 'session',
          test: /\/src\/(session\/deliver-result|client\/herm-client|output\/describe-delivery)\.ts$/,
        },
      ],
    },
    minify: true,
    comments: { legal: false },
  },
})
