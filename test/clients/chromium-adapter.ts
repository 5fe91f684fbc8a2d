/*
 * The adapter of thingsync-client in Chromium, for the suite of clients:
 * `npx tsx conformance/src/main.ts client -- npx tsx test/clients/chromium-adapter.ts`. Each replica has a Chromium with
 * a profile in its folder, where IndexedDB survives a kill. An argument names a file with the bundled script of the page.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { bundleForBrowser } from '../support/bundle-for-browser.ts'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'
import { claimsInChromium, type Outcome, toHello } from './client-commands.ts'
import { respondToLines } from './respond-to-lines.ts'

type Json = Readonly<Record<string, unknown>>

/** Parts of Chromium without which it starts sooner. */
const fewProcesses = ['--no-zygote', '--disable-extensions', '--disable-default-apps']

interface OpenBrowser {
  readonly page: Page
  readonly close: () => Promise<void>
}

const findScript = (file: string | undefined): Promise<string> =>
  file === undefined ? bundleForBrowser(import.meta.dirname, 'chromium-page.ts') : readFile(file, 'utf8')

/** Waits until Chromium says where its debugger listens. */
const findEndpoint = async (child: ChildProcess): Promise<string> => {
  if (child.stderr === null) throw new Error('Chromium was started without a standard error')
  let text = ''
  for await (const line of createInterface({ input: child.stderr })) {
    const [, endpoint] = /^DevTools listening on (ws:.*)$/.exec(line) ?? []
    if (endpoint !== undefined) return endpoint
    text += `${line}\n`
  }
  throw new Error(`Chromium ended before it listened:\n${text}`)
}

/**
 * Starts Chromium in the process group of this adapter, so that the suite kills both together, and loads the page. The
 * page is a file, so that every start has the same origin and finds the same IndexedDB.
 */
const openBrowser = async (folder: string, script: string): Promise<OpenBrowser> => {
  const program = findChromium(process.env.CHROMIUM)
  if (program === undefined) throw new Error('this adapter needs Chromium; name its program in CHROMIUM')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'page.html')
  await writeFile(file, '<!doctype html><meta charset="utf-8"><title>adapter</title>')
  const profile = join(folder, 'profile')
  // The servers of the suite send no CORS headers.
  const flags = [
    ...chromiumFlags,
    '--disable-web-security',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    ...fewProcesses,
  ]
  const child = spawn(program, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const browser: Browser = await chromium.connectOverCDP(await findEndpoint(child))
  child.stderr?.resume()
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('Chromium has no window')
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(pathToFileURL(file).href)
  await page.addScriptTag({ content: script })
  return {
    page,
    close: async () => {
      const session = await browser.newBrowserCDPSession()
      // Chromium may end before it responds.
      await Promise.allSettled([session.send('Browser.close'), ended])
    },
  }
}

const script = await findScript(process.argv[2])
let opened: OpenBrowser | undefined

const run = async (command: string, parameters: Json): Promise<Outcome> => {
  if (command === 'hello') return toHello(claimsInChromium)
  try {
    if (command === 'open') {
      await opened?.close()
      opened = await openBrowser(String(parameters.folder), script)
    }
    if (opened === undefined) return { error: { kind: 'unsupported', message: `${command} before open` } }
    const outcome = await opened.page.evaluate(
      // The page has the function of `chromium-page.ts`.
      ([name, given]) =>
        (globalThis as unknown as { runCommand: (name: string, given: Json) => Promise<Outcome> }).runCommand(
          name,
          given,
        ),
      [command, parameters] as const,
    )
    if (command === 'close') {
      await opened.close()
      opened = undefined
    }
    return outcome
  } catch (error) {
    return {
      error: { kind: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : `${error}` },
    }
  }
}

await respondToLines(run)
await opened?.close()
process.exit(0)
