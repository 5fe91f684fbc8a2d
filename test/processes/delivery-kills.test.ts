import { expect, test } from 'vitest'
import { openReceiver, type Received } from '../support/fake-receiver.ts'
import { prepareToken, prepareUsers } from '../support/prepare-accounts.ts'
import { type CliServer, createTemporaryFolder, startCliServer } from '../support/run-cli.ts'

/** 200 of them are `npm run delivery:kills`. */
const kills = Number(process.env.THINGSYNC_DELIVERY_KILLS ?? 2)

const users = ['anna', 'berta']
const writersPerUser = 2

interface Uploads {
  readonly tokens: ReadonlyMap<string, string>
  /** Ids that the server acknowledged, by user. */
  readonly acknowledged: ReadonlyMap<string, string[]>
}

const post = (baseUrl: string, path: string, token: string, json: object): Promise<Response> =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })

/** Uploads until the server is gone, and calls `onResponse` after each response. */
const uploadUntilGone = async (
  { baseUrl, child }: CliServer,
  user: string,
  { tokens, acknowledged }: Uploads,
  onResponse: () => void,
): Promise<void> => {
  for (let number = 1; ; number += 1) {
    try {
      const response = await post(baseUrl, 'thing/add', tokens.get(user) ?? '', { title: `thing ${number}` })
      const { _id: id } = (await response.json()) as { _id: string }
      acknowledged.get(user)?.push(id)
      onResponse()
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      if (child.killed || child.exitCode !== null) return
    }
  }
}

const readIds = ({ message }: Received): readonly string[] => message.data.ids

/** What came for one user, each message once, in the order in which it first came. */
const foldTries = (received: readonly Received[]): Received[] => {
  const messages = new Map<string, Received>()
  let last = ''
  for (const one of received) {
    const id = String(one.headers['webhook-id'])
    const known = messages.get(id)
    // A retry is the same to the byte, and nothing newer came before it.
    if (known !== undefined) expect([id, one.body.toString()]).toEqual([last, known.body.toString()])
    else messages.set(id, one)
    last = id
  }
  return [...messages.values()]
}

test(`after kill -9 among uploads, ${kills} times, each change is delivered in order, with equal retries`, async () => {
  const data = await createTemporaryFolder()
  const receiver = await openReceiver()
  const tokens = new Map<string, string>()
  for (const user of users) {
    await prepareUsers(data, user)
    tokens.set(user, await prepareToken(data, user))
  }
  const uploads: Uploads = { tokens, acknowledged: new Map(users.map((user) => [user, []])) }
  const start = () => startCliServer(data, ['--no-first-run', '--delivery-allow', '127.0.0.1'])
  const ofUser = (user: string) => receiver.received.filter(({ path }) => path === `/${user}`)

  const first = await start()
  for (const user of users) {
    const hook = { target_url: `${receiver.url}${user}`, event: 'any' }
    expect((await post(first.baseUrl, 'webhook/register', tokens.get(user) ?? '', hook)).status).toBe(200)
  }
  await first.stop()

  for (let kill = 0; kill < kills; kill += 1) {
    // By turns: when a message has come, which gets no response, and a little after some responses.
    const isAtMessage = kill % 2 === 0
    let hasCome = false
    let stop = () => {
      hasCome = true
    }
    receiver.respond = (response) => {
      if (isAtMessage) stop()
      else response.end()
    }
    const server = await start()
    stop = () => void server.child.kill('SIGKILL')
    if (hasCome) stop()
    let responses = 0
    const onResponse = () => {
      responses += 1
      if (!isAtMessage && responses === 1 + (kill % 12) * 5) setTimeout(stop, Math.random() * 20)
    }
    const writers = users.flatMap((user) => Array<string>(writersPerUser).fill(user))
    await Promise.all(writers.map((user) => uploadUntilGone(server, user, uploads, onResponse)))
    expect((await server.ended).exitCode).toBeNull()
  }
  receiver.respond = (response) => void response.end()
  const last = await start()

  let retries = 0
  for (const user of users) {
    const headers = { authorization: `Bearer ${tokens.get(user)}` }
    const response = await fetch(`${last.baseUrl}user/get`, { headers })
    const { pos } = (await response.json()) as { pos: number }
    const isDelivered = () => ofUser(user).some(({ message }) => message.data.pos === pos)
    while (!isDelivered()) await receiver.untilReceived(receiver.received.length + 1)
    const messages = foldTries(ofUser(user))
    const positions = messages.map(({ message }) => message.data.pos)
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
    expect(messages.filter(({ message }) => message.data.truncated === true)).toEqual([])
    const delivered = new Set(messages.flatMap(readIds))
    const acknowledged = uploads.acknowledged.get(user) ?? []
    expect(acknowledged.length).toBeGreaterThan(kills)
    expect(acknowledged.filter((id) => !delivered.has(id))).toEqual([])
    const others = users.filter((other) => other !== user).flatMap((other) => uploads.acknowledged.get(other) ?? [])
    expect(others.filter((id) => delivered.has(id))).toEqual([])
    retries += ofUser(user).length - messages.length
  }
  // Otherwise no kill came while a message was on its way.
  expect(retries).toBeGreaterThan(kills / 4)
  await last.stop()
}, 1_800_000)
