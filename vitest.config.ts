import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Names this run, so that the first test that needs the program builds it for all (test/support/build-program.ts).
process.env.THINGSYNC_TEST_RUN = `${process.pid}-${Date.now()}`

export default defineConfig({
  test: {
    // The other folders of test/ need more than Node, or wait for minutes; test/configs/ has their commands.
    include: [
      '{src,client,conformance,extension,web,scripts,bench}/**/*.test.ts',
      'test/{acceptance,scripts,store,scaling,transfer}/**/*.test.ts',
      'test/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', 'conformance/selftest/whole/**'],
    // Nothing of ours keeps state in modules, so files share them; loading them again took a third of the time.
    isolate: false,
    // Many tests wait, for a process or a disk: two more than there are cores.
    maxWorkers: availableParallelism() + 2,
    // Long enough for a machine that is busy with other things.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
