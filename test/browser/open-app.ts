import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An app on this computer that sends users to the server, and is called back by their browser. */
export interface TestApp {
  /** Its redirect URI. */
  readonly back: string
  /** The fields that came back, one set for each call. */
  readonly calls: readonly Readonly<Record<string, string>>[]
}

/** Opens an app for one test. */
export const openApp = async (): Promise<TestApp> => {
  const calls: Record<string, string>[] = []
  const listener = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app')
    // Chromium requests an icon by itself.
    if (pathname === '/back') calls.push(Object.fromEntries(searchParams))
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><html lang="en"><title>App</title><h1>Back in the app</h1></html>')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listener.closeAllConnections()
    listener.close()
  })
  return { back: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/back`, calls }
}
