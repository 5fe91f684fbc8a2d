import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../support/run-cli.ts'
import { type ExtensionFirefox, openExtensionFirefox } from './open-extension.ts'

const patience = { timeout: 60_000, interval: 100 }

/** Serves a page for each path: `/one` has the title "Page one" and a link. Returns their base URL. */
const servePages = async (): Promise<string> => {
  const listener = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><title>Page ${(request.url ?? '').slice(1)}</title><a href="https://a.example/two">Another page</a>`,
    )
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
}

/** Signs anna in, on the page that opens after the installation and in the window of the server. */
const signIn = async (firefox: ExtensionFirefox, server: string): Promise<string> => {
  const setUp = await firefox.findTab('/setup.html')
  await firefox.type(setUp, 'URL of your server', server)
  await firefox.click(setUp, 'button', 'Sign in')
  await firefox.allowPermission(server)
  const page = await firefox.findTab('/authorize?')
  await firefox.type(page, 'User name', 'anna')
  await firefox.type(page, 'input[type=password]', 'correct horse')
  await firefox.click(page, 'button', 'Sign in')
  await firefox.click(page, 'button', 'Allow')
  await expect.poll(() => firefox.readText(setUp), patience).toContain('Signed in as anna')
  return setUp
}

test('Firefox: the extension signs in, saves online and offline, and the server has everything', async () => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  const server = await startCliServer(data)
  const home = server.baseUrl.replace(/v1\/$/, '')
  const listItems = async (): Promise<string[][]> => {
    const { stdout } = await runCli(['export', '--user', 'anna', '--data', data])
    return JSON.parse(stdout)
      .things.map(({ title, url }: { readonly title: string; readonly url: string }) => [title, url])
      .sort()
  }
  const pages = await servePages()
  const firefox = await openExtensionFirefox()
  const setUp = await signIn(firefox, home)
  const seeStatus = (text: string) => expect.poll(() => firefox.readText(setUp), patience).toContain(text)
  await seeStatus('Everything is saved here and on the server.')

  const page = await firefox.openTab(`${pages}one`)
  await firefox.openPopup('Save this page')
  await firefox.saveWithEnter()
  const one = ['Page one', `${pages}one`]
  await expect.poll(listItems, patience).toEqual([one])
  await firefox.openPopup('Saved on ')
  await firefox.saveWithEnter()
  await server.stop()
  await firefox.saveLink(page, 'Another page')
  await firefox.openTab(`${pages}three`)
  await firefox.openPopup('Save this page')
  await firefox.saveWithEnter()
  await seeStatus('2 changes wait for the server.')
  const offline = await listItems()
  await firefox.endBackground()
  await startCliServer(data, ['--port', new URL(home).port])
  // Another tab comes to the front, as when the user goes on.
  await firefox.bringToFront(page)

  await expect
    .poll(listItems, patience)
    .toEqual([['Another page', 'https://a.example/two'], one, ['Page three', `${pages}three`]])
  expect(offline).toEqual([one])
})
