/**
 * Attacks a server with bodies, one attack after the other, each against a server of its own with a small heap, and
 * prints for each what was answered, how long a signed-in client beside it waited for a small sync, for how long the
 * server's event loop stood still at most, and how much memory the server took. Run by hand: `npx tsx
 * scripts/attacks/attack-bodies.ts [path of dist/src/cli/start.cjs] [name of one attack]`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addApp, addUser, openJsonFileStore, systemWorld, thingForm } from '../../src/index.ts'
import { type Attack, attacks } from './attacks.ts'

const heapMegabytes = 256
const longestSeconds = 30

const probe = new URL('./probe.cjs', import.meta.url).pathname

const [start = 'dist/src/cli/start.cjs', only] = process.argv.slice(2)

interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
}

const openServer = async (folder: string): Promise<Server> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { clientId, clientSecret } = await addApp(store, 'attacks', systemWorld)
  await addUser(store, { name: 'anna', password: 'correct horse' }, systemWorld)
  await store.close()
  const readyFile = join(folder, '..', 'ready.json')
  const serve = ['serve', '--data', folder, '--port', '0', '--ready-file', readyFile, '--log-level', 'fatal']
  const node = [`--max-old-space-size=${heapMegabytes}`, '--require', probe]
  const child = spawn(process.execPath, [...node, resolve(start), ...serve], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const port = await readPort(readyFile)
  const form = { grant_type: 'password', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`http://127.0.0.1:${port}/v1/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, username: 'anna', password: 'correct horse' }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return { child, port, token }
}

const readPort = async (readyFile: string): Promise<number> => {
  for (;;) {
    const text = await readFile(readyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return ''
    })
    if (text !== '') return Number(new URL((JSON.parse(text) as { base_url: string }).base_url).port)
    await sleep(50)
  }
}

/** The most memory that the process ever had in use, in MB; 0 when it is gone. */
const readPeak = async ({ child }: Server): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** The longest delay of the server's event loop since the last question, in ms; undefined when the server is gone. */
const readDelay = async ({ child }: Server): Promise<number | undefined> => {
  if (!child.connected) return undefined
  child.send('delay')
  const [delay] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
  return delay
}

/** Asks again and again whether anything is new; gives the longest time and the median, in ms. */
const watch = (server: Server, isEnded: () => boolean) => {
  const times: number[] = []
  const ask = async (): Promise<void> => {
    const begun = performance.now()
    const signal = AbortSignal.timeout(longestSeconds * 1000)
    const headers = { authorization: `Bearer ${server.token}` }
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/sync?limit=0`, { headers, signal })
    if (!answer.ok) throw new Error(`a small sync was answered ${answer.status}`)
    await answer.arrayBuffer()
    times.push(performance.now() - begun)
  }
  const run = async () => {
    while (!isEnded()) {
      await ask()
      await sleep(5)
    }
    const sorted = times.toSorted((a, b) => a - b)
    const show = (time = 0) => Math.round(time * 10) / 10
    return { median: show(sorted[sorted.length >> 1]), longest: show(sorted.at(-1)) }
  }
  return run()
}

/** Sends each request on a connection of its own; gives how often each status was answered. */
const send = async (server: Server, requests: ReturnType<Attack['requests']>, holdSeconds: number): Promise<string> => {
  const answers = new Map<string, number>()
  const note = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
  const sockets: Socket[] = []
  const sendOne = async (parts: Iterable<string | Buffer>): Promise<void> => {
    const socket = connect(server.port, '127.0.0.1')
    sockets.push(socket)
    let answer = 'nothing'
    const answered = new Promise<void>((done) => {
      socket.on('data', (data) => {
        answer = /^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? answer
        done()
      })
      socket.on('close', () => done()).on('error', () => done())
    })
    await once(socket, 'connect').catch(() => undefined)
    for (const part of parts) {
      if (socket.destroyed) break
      if (!socket.write(part))
        await Promise.race([once(socket, 'drain').catch(() => undefined), answered, sleep(20_000)])
    }
    await Promise.race([answered, sleep(holdSeconds > 0 ? holdSeconds * 1000 : longestSeconds * 1000)])
    note(answer)
  }
  await Promise.all(requests.map(sendOne))
  for (const socket of sockets) socket.destroy()
  return [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')
}

const run = async (attack: Attack): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'attack-'))
  const server = await openServer(join(folder, 'data'))
  const exited = once(server.child, 'exit')
  let isEnded = false
  // Made before anything is measured: that takes a while too.
  const requests = attack.requests(server.token)
  await sleep(500)
  await readDelay(server)
  const before = await readPeak(server)
  const watched = watch(server, () => isEnded).catch(() => undefined)
  await sleep(300)
  const sent = send(server, requests, attack.holdSeconds ?? 0)
  let peak = before
  const measure = async () => {
    while (!isEnded) {
      peak = Math.max(peak, await readPeak(server))
      await sleep(20)
    }
  }
  const measured = measure()
  const answers = await sent
  await sleep(300)
  const delay = await readDelay(server)
  const isGone = server.child.exitCode !== null || server.child.signalCode !== null
  isEnded = true
  const times = await watched
  await measured
  const waited = times === undefined ? 'NO ANSWER' : `median ${times.median} ms`
  const memory = `${before} → ${peak} MB${isGone ? ', THE SERVER DIED' : ''}`
  console.log(
    `${attack.name}\n  answers: ${answers}\n  small sync beside it: ${waited}\n  event loop: ${delay === undefined ? 'gone' : `stood still for ${Math.round(delay)} ms`}\n  memory: ${memory}`,
  )
  server.child.kill('SIGKILL')
  if (!isGone) await exited
  await rm(folder, { recursive: true, force: true })
}

for (const attack of attacks) if (only === undefined || attack.name.includes(only)) await run(attack)
