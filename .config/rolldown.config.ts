import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

// One entry, dependencies included; every dynamic import() becomes a chunk that only its command loads.
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  resolve: { alias: { undici$: fileURLToPath(new URL('undici-parts.cjs', import.meta.url)) } },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: { legal: false },
  },
})
