import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type AdapterNote, diagnoseAdapter } from './adapter-doctor.ts'

const folder = fileURLToPath(new URL('../../adapter-templates', import.meta.url))

/** How each language starts an adapter. */
const starts: Readonly<Record<string, readonly string[]>> = {
  py: ['python3'],
  mjs: [process.execPath],
  go: ['go', 'run'],
}

/** The commands of each profile that a copy of a template has to fill in, in the order of the doctor. */
const open = {
  api: ['token', 'sync', 'sync', 'refresh'],
  replica: ['create', 'change', 'state', 'sync', 'read', 'delete', 'read'],
}

const templates = (['api', 'replica'] as const).flatMap((profile) =>
  Object.keys(starts).map((end) => ({
    profile,
    end,
    name: `${profile === 'api' ? 'adapter' : 'replica-adapter'}.${end}`,
  })),
)

const isThere = (program = ''): boolean => spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0

test('each profile has a template of fewer than 80 lines in each language', async () => {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map(async (name) => readFile(join(folder, name), 'utf8')))

  expect([...names].sort()).toEqual(templates.map(({ name }) => name).sort())
  expect(names.filter((_, index) => (texts[index]?.split('\n').length ?? 0) > 80)).toEqual([])
})

for (const { profile, end, name } of templates) {
  const start = starts[end] ?? []
  // Go and Python may be missing on a machine of a developer, never in CI.
  test.skipIf(!isThere(start[0]) && process.env.CI !== 'true')(
    `the doctor finds nothing wrong with ${name} except that it does not call a client yet`,
    { timeout: 120_000 },
    async () => {
      const notes: AdapterNote[] = []

      const code = await diagnoseAdapter([...start, join(folder, name)], (note) => notes.push(note))

      const problems = notes.filter(({ kind }) => kind === 'problem').map(({ text }) => text)
      expect(problems.map((text) => text.split(':')[0])).toEqual(open[profile])
      expect(problems.filter((text) => !text.includes(`call your client in ${name}`))).toEqual([])
      expect(notes.at(-1)).toEqual({ kind: 'good', text: 'the adapter ends when its standard input ends' })
      expect(code).toBe(1)
    },
  )
}
