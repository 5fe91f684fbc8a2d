import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Kept, type Person, signIn } from '../../../scripts/data-folders/use-server.ts'
import { makeTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

const kept = fileURLToPath(new URL('../../data-folders', import.meta.url))
const folders = readdirSync(kept).flatMap((release) => [
  [release, 'stopped'],
  [release, 'killed'],
])

test('there is a data folder of each format that was ever released', () => {
  expect(folders.length).toBeGreaterThanOrEqual(4)
})

test.each(folders)('what version %s kept when it was %s is served, written to and verified', async (release, state) => {
  const folder = await makeTemporaryFolder()
  await promisify(execFile)('tar', ['-xzf', join(kept, `${release}`, `${state}.tar.gz`), '-C', folder])
  const data = join(folder, 'data')
  const people: { person: Person; kept: Kept }[] = JSON.parse(
    await readFile(join(kept, `${release}`, `${state}.json`), 'utf8'),
  )
  const server = await startCliServer(data, ['--no-first-run'])

  for (const one of people) {
    const { list, post } = await signIn(server.baseUrl, one.person)
    expect(await list()).toEqual(one.kept)
    await post('thing/add', { title: 'written by the present version' })
    expect((await list()).things).toHaveLength(one.kept.things.length + 1)
  }
  await server.stop()
  const { exitCode, stdout } = await runCli(['verify', '--data', data])

  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
})
