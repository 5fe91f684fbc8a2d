import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addRepository, checkRepository } from '../../scripts/release.ts'

/** Creates a project with the package of the server and the two packages beside it. */
const createProject = async (manifest: object): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-repository-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  for (const name of ['client', 'conformance']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name }))
  }
  return folder
}

const readManifest = async (project: string, folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(project, folder, 'package.json'), 'utf8'))

const repository = { type: 'git', url: 'git+https://git.example.org/thingsync.git' }

test('a release stops while package.json names no repository', async () => {
  for (const manifest of [{}, { repository: '' }, { repository: { type: 'git', url: '' } }]) {
    const project = await createProject(manifest)

    expect(() => checkRepository(project)).toThrow('package.json has no "repository": { "type": "git"')
  }
  expect(checkRepository(await createProject({ repository }))).toBeUndefined()
})

test('the client and the suite get the repository of the server, each with its folder', async () => {
  const project = await createProject({ repository })

  addRepository(project)

  expect(await readManifest(project, 'client')).toEqual({
    name: 'client',
    repository: { ...repository, directory: 'client' },
  })
  expect(await readManifest(project, 'conformance')).toEqual({
    name: 'conformance',
    repository: { ...repository, directory: 'conformance' },
  })
})

test('without a repository, as in a dry run, the packages stay as they are', async () => {
  const project = await createProject({})

  addRepository(project)

  expect(await readManifest(project, 'client')).toEqual({ name: 'client' })
})
