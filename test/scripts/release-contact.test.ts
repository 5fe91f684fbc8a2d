import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkSecurityContact } from '../../scripts/release.ts'

const createProject = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-contact-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'packaging'))
  for (const name of ['SECURITY.md', 'packaging/nfpm.yaml']) await cp(name, join(folder, name))
  return folder
}

const replaceText = async (file: string, from: RegExp, to: string): Promise<void> =>
  writeFile(file, (await readFile(file, 'utf8')).replace(from, to))

test('a release stops while SECURITY.md or the packages have a placeholder for the contact', async () => {
  const project = await createProject()
  await writeFile(join(project, 'SECURITY.md'), '> **SECURITY CONTACT NOT SET.** Publisher: …\n')
  await writeFile(join(project, 'packaging/nfpm.yaml'), 'maintainer: thingsync <maintainers@thingsync.invalid>\n')

  expect(() => checkSecurityContact(project)).toThrow(
    'SECURITY.md still has "SECURITY CONTACT NOT SET"; write your contact there, or add --dry-run',
  )
  await writeFile(join(project, 'SECURITY.md'), 'Write to security@example.org.\n')
  expect(() => checkSecurityContact(project)).toThrow('packaging/nfpm.yaml still has "maintainers@thingsync.invalid"')
})

test('a release accepts the files as they are once the publisher has replaced both placeholders', async () => {
  const project = await createProject()
  await replaceText(
    join(project, 'SECURITY.md'),
    /^> \*\*SECURITY CONTACT NOT SET\.\*\*.*\n(?:>.*\n)*/m,
    'security@example.org\n',
  )
  await replaceText(join(project, 'packaging/nfpm.yaml'), /maintainers@thingsync\.invalid/, 'security@example.org')

  expect(() => checkSecurityContact(project)).not.toThrow()
})
