import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { openGate } from './open-gate.ts'
import { addThing, isReadyForOffline, openSignedIn, openWebServer, seeTitles } from './web-app-page.ts'

const web = fileURLToPath(new URL('../../web/', import.meta.url))
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  svg: 'image/svg+xml',
}

/** The files of another build of the app, in which the help has another name, by path. */
const buildNext = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const outDir = await createTemporaryFolder()
  const rename = {
    name: 'rename-help',
    // Before the compiler, which writes other quotes.
    enforce: 'pre' as const,
    transform: (code: string, id: string) =>
      id.endsWith('words/en.ts') ? code.replace("help: 'Help'", "help: 'News'") : undefined,
  }
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: relative(web, outDir), emptyOutDir: true },
    plugins: [rename],
  })
  const files = await readdir(outDir, { recursive: true, withFileTypes: true })
  const named = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(named.map(async (name) => [name.slice(outDir.length), await readFile(name)] as const)),
  )
}

test('an open page goes on while the app is updated, keeps typed text, and updates on request', async () => {
  const { home } = await openWebServer()
  const gate = await openGate(home)
  const { page } = await openSignedIn(gate.home)
  await addThing(page, 'before')
  await isReadyForOffline(page)
  await page.getByLabel('New item').fill('half a line')

  const next = await buildNext()
  gate.setRule((address) => {
    const path = address.split('?')[0] ?? ''
    const body = next.get(path === '/' ? '/index.html' : path)
    const type = types[(path === '/' ? 'html' : path.split('.').at(-1)) ?? ''] ?? 'application/octet-stream'
    return body === undefined
      ? 'pass'
      : { status: 200, headers: { 'content-type': type, 'cache-control': 'no-cache' }, body }
  })
  // The previous worker responds once more, and looks for a newer one meanwhile.
  await page.reload()
  await page.getByRole('link', { name: 'Help', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Update the app' }).click()
  await page.getByRole('link', { name: 'News', exact: true }).waitFor()

  await seeTitles(page, ['before'])
  expect(await page.getByLabel('New item').inputValue()).toBe('half a line')
}, 300_000)
