import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'

/** A Chromium with one page. */
export interface ChromiumPage {
  /** The folder of its profile. */
  readonly profile: string
  /** Loads the page again and runs a script in it. */
  readonly load: (script: string) => Promise<void>
  /** Evaluates an expression in the page, awaits it, and resolves to its JSON value. @throws Error with what it threw */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Ends Chromium and waits for its end. */
  readonly close: () => Promise<void>
}

/** Parts of Chromium without which it starts sooner. */
const fewProcesses = [
  ...['--no-zygote', '--no-startup-window', '--disable-extensions', '--disable-default-apps', '--disable-breakpad'],
]

type Message = Readonly<Record<string, unknown>>

interface Waiting {
  readonly resolve: (result: Message) => void
  readonly reject: (error: Error) => void
}

/** A connection with the Chrome DevTools Protocol: every message is JSON in UTF-8 that ends with a null byte. */
interface Connection {
  readonly send: (method: string, parameters?: Message, session?: string) => Promise<Message>
  /** Rejects everything that waits. */
  readonly end: (reason: string) => void
}

const connect = (input: Writable, output: Readable): Connection => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  // Nothing waits for the id of an event, which is absent.
  const receive = ({ id, result, error }: Message) => {
    const found = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (error === undefined) found?.resolve(result as Message)
    else found?.reject(new Error(`Chromium: ${JSON.stringify(error)}`))
  }
  let pieces: Buffer[] = []
  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      receive(JSON.parse(Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8')))
      pieces = []
      start = end + 1
    }
    pieces.push(chunk.subarray(start))
  })
  // The end of Chromium, which rejects what waits, breaks the pipe.
  input.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error
  })
  return {
    send: (method, params = {}, sessionId = undefined) => {
      lastId += 1
      const id = lastId
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    end: (reason) => {
      for (const { reject } of waiting.values()) reject(new Error(reason))
      waiting.clear()
    },
  }
}

/**
 * Starts Chromium with a profile, in the process group of this program, so that a kill of the group ends both. The page is
 * a file, so that every start has the same origin and finds the same IndexedDB.
 * @throws Error when there is no Chromium, or when it does not start
 */
export const openChromiumPage = async (profile: string): Promise<ChromiumPage> => {
  const program = findChromium(process.env.CHROMIUM)
  if (program === undefined) throw new Error('this adapter needs Chromium; name its program in CHROMIUM')
  const file = join(profile, 'page.html')
  await writeFile(file, '<!doctype html><meta charset="utf-8"><title>adapter</title>')
  const flags = [
    ...chromiumFlags,
    // The servers of the suite send no CORS headers.
    '--disable-web-security',
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    ...fewProcesses,
  ]
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  const [, , errors, input, output] = child.stdio
  let errorText = ''
  ;(errors as Readable).setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-4000)
  })
  const { send, end } = connect(input as Writable, output as Readable)
  const ended = once(child, 'close').then(() => end(`Chromium ended:\n${errorText}`))
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const page = String(sessionId)
  await send('Page.enable', {}, page)
  const evaluate = async (expression: string): Promise<unknown> => {
    const parameters = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', parameters, page)
    if (exceptionDetails !== undefined) throw new Error(`the page threw: ${JSON.stringify(exceptionDetails)}`)
    return (result as Message).value
  }
  return {
    profile,
    evaluate,
    load: async (script) => {
      // Responds when the page has replaced the former one.
      await send('Page.navigate', { url: pathToFileURL(file).href }, page)
      await evaluate(`${script}\n;undefined`)
    },
    close: async () => {
      // Chromium may end before it responds.
      await Promise.allSettled([send('Browser.close'), ended])
    },
  }
}
