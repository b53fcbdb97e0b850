import { defineConfig } from 'rolldown'

// One entry, dependencies included; every dynamic import() becomes a chunk that only its command loads.
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
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
