import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../scripts/build-steps.mjs', import.meta.url))

test('of what was compiled only that stays which has a source', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-stale-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const created = ['a.js', 'a.d.ts', 'b.js', 'c.cjs', 'c.d.cts', 'schema/1.sql', '.tsbuildinfo', 'page.md']
  const stale = ['gone.js', 'gone.d.ts', 'old/gone.cjs', 'schema/2.sql']
  for (const name of [
    'a.ts',
    'b.tsx',
    'c.cts',
    'schema/1.sql',
    ...[...created, ...stale].map((one) => `dist/${one}`),
  ]) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), '')
  }

  await run(process.execPath, [script, 'remove-stale', 'dist', '.'], { cwd: folder })

  const left = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  expect(left.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()).toEqual(
    ['1.sql', '.tsbuildinfo', 'a.js', 'a.d.ts', 'b.js', 'c.cjs', 'c.d.cts', 'page.md'].sort(),
  )
})
