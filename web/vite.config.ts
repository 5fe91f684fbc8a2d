import { defineConfig } from 'vite'
import { compressFiles, writePrecache } from './build/precache.ts'

/** The build: static files in `web/dist` with relative URLs, so that they work below any path prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    target: 'es2023',
    // The content security policy of the page forbids data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Compression is expected to take the longest.
      checks: { pluginTimings: false },
      input: {
        index: 'index.html',
        'service-worker': 'service-worker/service-worker.ts',
      },
      output: {
        // Two files, and not one for each combination of screens: larger files compress better, and fewer are requested.
        codeSplitting: {
          groups: [
            { name: 'app', test: /\/web\/(?:root\.tsx|data\/start-app\.ts)$/u, priority: 2 },
            { name: 'screens', test: /\/web\/screens\/(?:item|tags|recent|settings|help)-screen\.tsx$/u, priority: 1 },
          ],
        },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  plugins: [writePrecache(), compressFiles()],
})
