/**
 * Tests one large account: `npm run large-account -- [--mebibytes N] [--heap N]` creates an account of N mebibytes
 * (default 1024), and verifies, changes, backs up, restores and repairs it. Each step is a process with a heap of N
 * mebibytes (default 64).
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { mebibytes: { type: 'string', default: '1024' }, heap: { type: 'string', default: '64' } },
})
const root = await mkdtemp(join(tmpdir(), 'thingsync-large-'))

const run = (step: string): void => {
  const script = join(import.meta.dirname, 'run-step.ts')
  const folder = join(root, 'data')
  const { status } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${values.heap}`, '--import', 'tsx', script, step, folder, values.mebibytes],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) throw new Error(`${step} failed`)
}

try {
  for (const step of ['create', 'verify', 'change', 'verify', 'backup', 'restore', 'repair']) run(step)
} finally {
  await rm(root, { recursive: true })
}
