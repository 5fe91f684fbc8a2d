import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, readWhenThere } from '../../support/run-cli.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))

/** The built program in a folder of its own, as an installation has it. */
const install = async () => {
  const folder = await createTemporaryFolder()
  for (const name of ['package.json', 'openapi.yaml', 'openapi.sdk.yaml', 'dist', 'docs', 'src/pages', 'web/dist']) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    await cp(join(project, name), join(folder, name), { recursive: true, filter: (path) => !path.includes('pictures') })
  }
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const serve = () => {
    const ready = join(folder, 'ready.json')
    const args = ['serve', '--data', join(folder, 'data'), '--port', '0', '--no-first-run', '--ready-file', ready]
    const child = spawn(process.execPath, [join(folder, 'dist/start.cjs'), ...args])
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
    return { child, ready, ended }
  }
  return { folder, serve }
}

test('a server starts while its files are being replaced: what dpkg and rpm write beside them is no file of the web app', async () => {
  const { folder, serve } = await install()
  await writeFile(join(folder, 'web/dist/app.webmanifest.dpkg-new'), '{}')
  await writeFile(join(folder, 'web/dist/assets/app.js;65a1b2c3'), '')

  const { child, ready } = serve()
  const { base_url: baseUrl } = await readWhenThere<{ base_url: string }>(ready, () => child.exitCode !== null)
  const page = await fetch(new URL('/', baseUrl))

  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test('a server that cannot start because of a fault says so and ends with 1, so that it is started again', async () => {
  const { folder, serve } = await install()
  await rm(join(folder, 'web/dist'), { recursive: true })

  const [[exitCode], log, said] = await serve().ended

  expect([exitCode, said]).toEqual([1, 'thingsync: the server ended because of an internal error; see its log\n'])
  expect(log).toContain('the web app is not built')
})
