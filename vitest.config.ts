import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'conformance/**/*.test.ts',
      'web/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: 'src/acceptance/build-program.ts',
    // Nothing of ours keeps state in modules, so files share them; loading them anew took a third of the time.
    isolate: false,
    // Many tests wait, for a process or a disk: two more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // As patient as a machine that is busy with other things needs.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
