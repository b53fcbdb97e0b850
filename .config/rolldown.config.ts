import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'rolldown'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Modules of Node.js that a dependency loads at its start and that are never used here. Loading them is a tenth of a short
 * command's time.
 */
const unused: Readonly<Record<string, { by: RegExp; code: string }>> = {
  // For subcommands that are programs of their own.
  'node:child_process': { by: /\/commander\//, code: 'module.exports = {}' },
  // For HTTP/2, which the client does not speak, for one number, and for a check of what is sent as a body.
  'node:http2': { by: /\/undici\//, code: 'module.exports = { constants: {} }' },
  'node:http': { by: /\/undici\//, code: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }' },
}

const withoutUnused: Plugin = {
  name: 'without-unused',
  resolveId(id, importer = '') {
    return unused[id]?.by.test(importer.replaceAll('\\', '/')) ? `\0unused:${id}` : undefined
  },
  load(id) {
    const found = id.startsWith('\0unused:') ? unused[id.slice('\0unused:'.length)] : undefined
    return found && { code: found.code, moduleType: 'js' }
  },
}

// One entry, dependencies included; every dynamic import() becomes a chunk that only its command loads. CommonJS, since
// Node.js starts it faster than ES modules.
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  resolve: {
    alias: {
      undici$: here('undici-parts.cjs'),
      './client-h1.js': here('parser-compiled-once.cjs'),
      // proper-lockfile is given what it is to use of it, and never falls back to this.
      'graceful-fs': 'node:fs',
    },
  },
  plugins: [withoutUnused],
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
