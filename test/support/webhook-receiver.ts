import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { signWebhook } from '../../src/delivery/deliver-webhook.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

type Start = (port: string) => readonly [program: string, args: readonly string[], environment: Record<string, string>]

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

/** A receiver that runs, with what it wrote so far. */
interface StartedReceiver {
  readonly url: string
  readonly output: () => string
  readonly errors: () => string
}

/** Starts a receiver of the documents; it is ended when the test is finished. @throws when its program is not there */
export const startReceiver = async (start: Start): Promise<StartedReceiver> => {
  const port = String(await findPort())
  const [program, args, environment] = start(port)
  const env = { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, ...environment }
  const child = spawn(program, args, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let failed: Error | undefined
  let [output, errors] = ['', '']
  child.on('error', (error) => {
    failed = error
  })
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const url = `http://127.0.0.1:${port}/`
  for (;;) {
    if (failed !== undefined) throw failed
    if (child.exitCode !== null) throw new Error(`${program} ended: ${errors}`)
    try {
      await fetch(url)
      return { url, output: () => output, errors: () => errors }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      await sleep(20)
    }
  }
}

/** How a receiver responds to a call with a right signature, and to calls without one. */
export const callReceiver = async (url: string) => {
  const body = JSON.stringify({ type: 'any', timestamp: '2026-11-22T10:00:00.000Z', data: { pos: 17, ids: ['ä'] } })
  const call = async (secrets: readonly string[], now: number, sent = body) => {
    const headers = signWebhook({ id: 'msg_1', now, body, secrets })
    return (await fetch(url, { method: 'POST', headers, body: sent })).status
  }
  const now = Date.now()
  return {
    signed: await call([secret], now),
    bothSecrets: await call([otherSecret, secret], now),
    otherSecret: await call([otherSecret], now),
    changed: await call([secret], now, body.replace('17', '18')),
    old: await call([secret], now - 600_000),
  }
}

/**
 * How a receiver responds to what an attacker may send without a secret. Before, one body broke off, and one sender
 * stopped amid a body and is still there.
 */
export const attackReceiver = async (url: string) => {
  const { port, host } = new URL(url)
  const open = async (headers: readonly string[], length: number) => {
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const head = ['POST / HTTP/1.1', `host: ${host}`, 'connection: close', ...headers, `content-length: ${length}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n{}`, 'latin1')
    return socket
  }
  const call = async (...headers: string[]) => {
    const [response] = await once(await open(headers, 2), 'data')
    return Number(/^HTTP\/1\.\d (\d+)/.exec(String(response))?.[1])
  }
  const id = 'webhook-id: msg_1'
  const time = `webhook-timestamp: ${Math.floor(Date.now() / 1000)}`
  const brokenOff = await open([id, time], 200)
  brokenOff.end()
  await once(brokenOff.resume(), 'close')
  await open([id, time], 200)
  return {
    unsigned: await call(),
    otherLetters: await call(id, time, `webhook-signature: v1,\u00e9${'A'.repeat(43)}`),
    manyDigits: await call(id, `webhook-timestamp: ${'9'.repeat(5_000)}`, 'webhook-signature: v1,AAAA'),
    noNumber: await call(id, 'webhook-timestamp: soon', 'webhook-signature: v1,AAAA'),
  }
}

/** How it must respond. */
export const rejectedAttacks = { unsigned: 401, otherLetters: 401, manyDigits: 401, noNumber: 401 }
