import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Accounts, openAccounts } from '../../scripts/attack/accounts.ts'
import { type AttackedServer, openAttackedServer } from '../../scripts/attack/attacked-server.ts'
import { type AttackResult, runAttack } from '../../scripts/attack/run-attack.ts'

let server: AttackedServer
let accounts: Accounts
let front: Server | undefined

beforeAll(async () => {
  server = await openAttackedServer()
  accounts = await openAccounts(server)
})

afterEach(() => {
  front?.close()
  front?.closeAllConnections()
  front = undefined
})

afterAll(async () => {
  accounts.close()
  await server.stop()
})

/** Hands requests on to the server; `change` is given each 30th response to send something else. */
const openFront = async (change: (response: ServerResponse, whole: string) => void): Promise<number> => {
  let count = 0
  const handOn = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = incoming
    const target = { port: server.port, host: '127.0.0.1', method, path: url, headers }
    const outgoing = request({ ...target, setHost: false }, (upstream) => {
      const parts: Buffer[] = []
      upstream.on('data', (part) => parts.push(part))
      upstream.on('end', () => {
        count += 1
        const whole = Buffer.concat(parts)
        if (count % 30 === 0) return change(response, whole.toString())
        response.writeHead(upstream.statusCode ?? 0, { ...upstream.headers, 'content-length': whole.length })
        response.end(whole)
      })
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }
  front = createServer(handOn)
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return (front.address() as AddressInfo).port
}

const attack = async (port: number): Promise<readonly string[]> => {
  const { violations }: AttackResult = await runAttack(server, accounts, { seed: 3, first: 0, end: 400, port })
  return violations.map(({ what }) => what)
}

const anyOf = (start: string) => expect.arrayContaining([expect.stringContaining(start)])

test('an attack finds a server that responds with 500 at times, and says to which request', async () => {
  const port = await openFront((response) => response.writeHead(500).end('{}'))

  const { violations } = await runAttack(server, accounts, { seed: 3, first: 0, end: 400, port })

  expect(violations).toContainEqual({ number: expect.any(Number), what: expect.stringMatching(/^500 to /) })
})

test("an attack finds a server that mixes in another user's data", async () => {
  const port = await openFront((response) => response.end(`{"title":"${accounts.reader.marker}"}`))

  expect(await attack(port)).toEqual(anyOf('got what rita had stored'))
})

test('an attack finds a server whose responses are cut off', async () => {
  const port = await openFront((response) =>
    response.writeHead(200, { 'content-length': 10 }).write('{}', () => response.destroy()),
  )

  expect(await attack(port)).toEqual(anyOf('breaks off'))
})

test('an attack finds a server that changes the data of a user who may only read', async () => {
  const { clientId, clientSecret = '' } = server.enrollment.apps[0]
  const client = { client_id: clientId, client_secret: clientSecret }
  const port = await openFront((response) => response.end('{}'))

  const running = attack(port)
  const grant = { grant_type: 'password', ...client, username: 'rita', password: accounts.reader.password }
  const granted = await fetch(`http://127.0.0.1:${server.port}/v1/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
  await fetch(`http://127.0.0.1:${server.port}/v1/thing/add`, { method: 'POST', headers, body: 'title=changed' })

  expect(await running).toEqual(anyOf('the data of the read-only user changed'))
})

test('an attack finds what is logged as an error', async () => {
  const running = attack(server.port)
  server.errors.push('{"level":"error","msg":"a bug"}')

  expect(await running).toEqual(anyOf('in the log: {"level":"error","msg":"a bug"}'))
})

test('an attack of a right server reaches most of it with credentials that live', async () => {
  const { sent, credentialed, classes, violations } = await runAttack(server, accounts, { seed: 4, first: 0, end: 400 })

  expect(violations).toEqual([])
  expect(sent).toBe(400)
  expect(credentialed / sent).toBeGreaterThan(0.6)
  expect((classes.get('2xx') ?? 0) / sent).toBeGreaterThan(0.3)
})
