import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildProgram } from '../../test/support/build-program.ts'
import { sealJson, unsealJson } from '../seal.ts'
import { readControlFile } from './control-file.ts'
import { makeFolder, requireFolder } from './make-folder.ts'
import { type OwnedFolder, ownFolder } from './own-folder.ts'
import { sendCommand } from './send-command.ts'

// As `npm test` builds it (`build-program.ts`): from its source a process takes three times as long to start.
await buildProgram()
const built = new URL('../../dist/src/folder/own-folder.js', import.meta.url).href

let folder: string
const endings: (() => unknown)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-folder-'))
  endings.push(() => rm(folder, { recursive: true }))
})

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const refuseAll = { onCommand: async () => 'no commands here' }

/** Owns a folder in this process, until the test ends. */
async function own(path: string, onCommand: (command: unknown) => Promise<unknown>): Promise<OwnedFolder> {
  const owned = await ownFolder(path, { onCommand })
  if ('owner' in owned) throw new Error(`owned by ${owned.owner.pid}`)
  endings.push(owned.release)
  return owned
}

/** A process that tries to own the folder, says in one line what came of it, and stays. */
function startProcess(): { process: ChildProcess; said: Promise<unknown> } {
  const program = `
    import { ownFolder } from ${JSON.stringify(built)}
    const owned = await ownFolder(${JSON.stringify(folder)}, { onCommand: async (command) => ({ ran: command }) })
    console.log(JSON.stringify('owner' in owned ? owned : { port: owned.port }))
    setInterval(() => undefined, 1000)`
  const args = ['--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  endings.push(() => child.kill('SIGKILL'))
  const said = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(line))
  return { process: child, said }
}

async function occupy(server: Server, port: number | undefined): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => server.close())
}

test('a second process is refused and told who owns the folder', async () => {
  const owned = await own(folder, refuseAll.onCommand)

  const second = startProcess()

  expect(await second.said).toEqual({ owner: { pid: process.pid, port: owned.port } })
})

test('of ten that start at once exactly one owns the folder, and the others name it', async () => {
  const starters = Array.from({ length: 10 }, startProcess)

  const said = await Promise.all(starters.map((starter) => starter.said))

  const winner = said.findIndex((line) => !Object.hasOwn(Object(line), 'owner'))
  const pid = starters[winner]?.process.pid
  const { port } = said[winner] as { port: number }
  expect(said.filter((_, index) => index !== winner)).toEqual(Array(9).fill({ owner: { pid, port } }))
})

test('after kill -9 the folder can be owned at once', async () => {
  const first = startProcess()
  await first.said
  const exited = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await exited

  const waits: string[] = []
  const owned = await ownFolder(folder, { ...refuseAll, onWait: (sentence) => void waits.push(sentence) })
  if ('owner' in owned) throw new Error(`owned by ${owned.owner.pid}`)
  endings.push(owned.release)

  expect(waits).toEqual([])
})

test('a released folder can be owned again', async () => {
  const first = await ownFolder(folder, refuseAll)
  if ('owner' in first) throw new Error('owned by somebody')
  await first.stopCommands()
  await first.release()

  await own(folder, refuseAll.onCommand)
})

test('an owner that ends its work is waited for', async () => {
  const first = await ownFolder(folder, refuseAll)
  if ('owner' in first) throw new Error('owned by somebody')
  await first.stopCommands()

  const second = own(folder, refuseAll.onCommand)
  await sleep(200)
  await first.release()

  await second
})

test('a stranger on the port of a folder is passed by, whether it speaks HTTP or not', async () => {
  const { ports } = await readControlFile(folder)
  await occupy(
    createHttpServer((_, res) => res.end('hello')),
    ports[0],
  )
  await occupy(
    createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-other\r\n')),
    ports[1],
  )

  const owned = await own(folder, refuseAll.onCommand)

  expect(owned.port).toBe(ports[2])
})

test('an owner is found behind a port that has become free since', async () => {
  const { ports } = await readControlFile(folder)
  const stranger = createHttpServer((_, res) => res.end('hello'))
  stranger.listen(ports[0], '127.0.0.1')
  await once(stranger, 'listening')
  const owned = await own(folder, refuseAll.onCommand)
  stranger.closeAllConnections()
  await new Promise((resolve) => stranger.close(resolve))

  const second = await ownFolder(folder, refuseAll)

  expect(second).toEqual({ owner: { pid: process.pid, port: owned.port } })
  expect(owned.port).toBe(ports[1])
})

test('something that does not answer is taken for the owner, in a sentence that says what to do', async () => {
  const { ports } = await readControlFile(folder)
  await occupy(
    createServer(() => undefined),
    ports[0],
  )

  await expect(ownFolder(folder, refuseAll)).rejects.toThrow(
    `data folder ${folder} may be in use: the program on port ${ports[0]} of 127.0.0.1 does not answer; ` +
      'stop it, or delete control.json while no thingsync uses the folder',
  )
})

test('other programs on all its ports, silent or not, keep nobody from a folder that was owned before', async () => {
  const first = await ownFolder(folder, refuseAll)
  if ('owner' in first) throw new Error('owned by somebody')
  await first.release()
  const { ports } = await readControlFile(folder)
  for (const [index, port] of ports.entries())
    await occupy(
      createServer((socket) => (index % 2 === 0 ? socket.on('error', () => undefined) : socket.destroy())),
      port,
    )

  const owned = await own(folder, async (command) => ({ ran: command }))

  expect(ports).not.toContain(owned.port)
  expect(await ownFolder(folder, refuseAll)).toEqual({ owner: { pid: process.pid, port: owned.port } })
  expect(await sendCommand(folder, 'find me')).toEqual({ status: 'done', outcome: { ran: 'find me' } })
})

test('an owner whose file is gone owns the folder no more', async () => {
  const owned = await own(folder, refuseAll.onCommand)
  const before = await owned.isHeld()
  await rm(join(folder, 'owner', '000000001.json'))

  expect([before, await owned.isHeld()]).toEqual([true, false])
})

test('a copy of a folder is a folder of its own, also while the first one is in use', async () => {
  await own(folder, refuseAll.onCommand)
  const copy = await mkdtemp(join(tmpdir(), 'thingsync-folder-'))
  endings.push(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })

  await own(copy, refuseAll.onCommand)
})

test('a command runs in the owner, and its outcome comes back', async () => {
  await own(folder, async (command) => ({ ran: command, by: process.pid }))

  const result = await sendCommand(folder, { name: 'user add', password: 'ünicode 🗝' })

  const outcome = { ran: { name: 'user add', password: 'ünicode 🗝' }, by: process.pid }
  expect(result).toEqual({ status: 'done', outcome })
})

test('a command without an owner and one that fails are told apart', async () => {
  const nobody = await sendCommand(folder, {})
  const owned = await own(folder, () => Promise.reject(new Error('a secret of the server')))
  const failed = await sendCommand(folder, {})
  await owned.stopCommands()

  expect([nobody, failed]).toEqual([{ status: 'nobody' }, { status: 'failed' }])
})

test.each([
  ['before it began to answer was not run', false, 'nobody'],
  ['after it began to answer may have been run', true, 'unknown'],
])('a command whose owner ends %s', async (_, begins, status) => {
  const control = await readControlFile(folder)
  const owner = { pid: 1, state: 'owner', folder: control.folder, ticket: 'one' }
  const server = createHttpServer(async (request, answer) => {
    const asked = unsealJson(control.key, `ask ${request.url}`, await text(request)) as { nonce: string }
    if (request.url === '/owner') {
      answer.end(sealJson(control.key, `answer ${asked.nonce}`, owner))
      return
    }
    if (begins) answer.flushHeaders()
    server.close()
    setTimeout(() => server.closeAllConnections(), 50)
  })
  await occupy(server, control.ports[1])

  const result = await sendCommand(folder, {})

  expect(result).toEqual({ status })
})

test('a stranger who owns no key gets no answer from the owner and reads no command', async () => {
  const owned = await own(folder, async () => 'ran')

  const answer = await fetch(`http://127.0.0.1:${owned.port}/command`, { method: 'POST', body: '{"command":"x"}' })

  expect([answer.status, await answer.text()]).toEqual([403, ''])
})

test('the control file is private, whole, and with a file of its owner the only thing that is left in the folder', async () => {
  await own(folder, refuseAll.onCommand)

  const { mode } = await stat(join(folder, 'control.json'))

  expect((mode & 0o777).toString(8)).toBe('600')
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'control.json',
    'owner',
    join('owner', '000000001.json'),
  ])
  expect(Object.keys(JSON.parse(await readFile(join(folder, 'control.json'), 'utf8')))).toEqual([
    'about',
    'ports',
    'key',
  ])
})

test('a damaged control file is named', async () => {
  await writeFile(join(folder, 'control.json'), '{"ports":[1')

  await expect(ownFolder(folder, refuseAll)).rejects.toThrow(
    `${join(folder, 'control.json')} is damaged; when no thingsync uses the folder, delete this file`,
  )
})

test('a folder in the place of the control file or of an owner’s file is named', async () => {
  const [control, owner] = [join(folder, 'control.json'), join(folder, 'owner', '000000001.json')]
  await mkdir(control)

  const refused = ownFolder(folder, refuseAll)
  await expect(refused).rejects.toThrow(`${control} is no file; when no thingsync uses the folder, delete it`)

  await rmdir(control)
  await mkdir(owner, { recursive: true })
  const refusedToo = ownFolder(folder, refuseAll)
  await expect(refusedToo).rejects.toThrow(`${owner} is no file; when no thingsync uses the folder anywhere, delete it`)
})

test('a missing folder is made private where it may be made, and named where it must be there', async () => {
  const missing = join(folder, 'new', 'data')

  await expect(requireFolder(missing)).rejects.toThrow(
    `data folder: ${missing} does not exist; create it or set THINGSYNC_DATA`,
  )
  await makeFolder(missing)

  expect(((await stat(missing)).mode & 0o777).toString(8)).toBe('700')
})

test('a path through a file is refused with what to do', async () => {
  await writeFile(join(folder, 'file'), '')

  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow('is a file; set THINGSYNC_DATA to a folder')
  await expect(makeFolder(join(folder, 'file', 'data'))).rejects.toThrow('part of its path is a file')
})

test.runIf(existsSync('/proc/self'))('a folder that its file system does not take is refused, and soon', async () => {
  await expect(makeFolder('/proc/x/y')).rejects.toThrow('data folder: /proc/x cannot be made')
  await expect(makeFolder('/dev/null')).rejects.toThrow('data folder: /dev/null is a file')
  const made = makeFolder('/proc').then(() => ownFolder('/proc', refuseAll))
  await expect(made).rejects.toThrow(/^data folder: \/proc (takes no files|may not be written)/)
})

test('a folder that may not be written is refused with what to do', async () => {
  const locked = join(folder, 'locked')
  await mkdir(locked)
  await chmod(locked, 0o555)
  await chmod(folder, 0o755)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  endings.push(() => isRoot && process.seteuid?.(0))

  await expect(makeFolder(join(locked, 'new'))).rejects.toThrow('/locked/new may not be written by this user')
})
