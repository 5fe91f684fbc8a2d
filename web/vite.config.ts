import { defineConfig } from 'vite'
import { packFiles, writePrecache } from './build/precache.ts'

/** `npm run build`: static files in `web/dist`, with relative addresses, so that they work below any path prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    target: 'es2023',
    // What the policy of the page would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Making the compressed variants takes longest, as it should.
      checks: { pluginTimings: false },
      input: {
        index: 'index.html',
        'service-worker': 'service-worker/service-worker.ts',
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  plugins: [writePrecache(), packFiles()],
})
