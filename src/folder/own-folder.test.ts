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
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { bundleModules } from '../../test/support/bundle-modules.ts'
import { sealJson, unsealJson } from '../seal.ts'
import { readControlFile } from './control-channel.ts'
import { createFolder, requireFolder } from './data-folder.ts'
import {
  createOwnerFile,
  findOwnerFile,
  type OwnedFolder,
  ownFolder,
  readOwnProcess,
  sendCommand,
} from './own-folder.ts'

const modules = await bundleModules(['folder/own-folder.ts'])
const built = modules.urlOf('folder/own-folder.ts')
afterAll(modules.remove)

let folder: string
const endings: (() => unknown)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-folder-'))
  endings.push(() => rm(folder, { recursive: true }))
})

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const noCommands = { onCommand: async () => 'no commands here' }

/** Owns a folder in this process, until the test ends. */
async function own(path: string, onCommand: (command: unknown) => Promise<unknown>): Promise<OwnedFolder> {
  const owned = await ownFolder(path, { onCommand })
  if ('owner' in owned) throw new Error(`owned by ${owned.owner.pid}`)
  endings.push(owned.release)
  return owned
}

/** Starts a process that tries to own the folder, prints the result in one line, and stays. */
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

async function occupy(server: Server, port = 0): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => server.close())
}

const findPort = (server: Server): number => Object(server.address()).port

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test('a second process is rejected and learns the owner of the folder', async () => {
  const owned = await own(folder, noCommands.onCommand)

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
  await kill(first.process)

  const waits: string[] = []
  const owned = await ownFolder(folder, { ...noCommands, onWait: (sentence) => void waits.push(sentence) })
  if ('owner' in owned) throw new Error(`owned by ${owned.owner.pid}`)
  endings.push(owned.release)

  expect(waits).toEqual([])
})

test('a released folder can be owned again', async () => {
  const first = await ownFolder(folder, noCommands)
  if ('owner' in first) throw new Error('owned by another process')
  await first.stopCommands()
  await first.release()

  await own(folder, noCommands.onCommand)
})

test('a process waits for an owner that is about to end', async () => {
  const first = await ownFolder(folder, noCommands)
  if ('owner' in first) throw new Error('owned by another process')
  await first.stopCommands()

  const second = own(folder, noCommands.onCommand)
  await sleep(200)
  await first.release()

  await second
})

test('an owner whose file is missing does not own the folder any more', async () => {
  const owned = await own(folder, noCommands.onCommand)
  const before = await owned.isHeld()
  await rm(join(folder, 'owner', '000000001.json'))

  expect([before, await owned.isHeld()]).toEqual([true, false])
})

test('a copy of a folder is a separate folder, also while the first one is in use', async () => {
  await own(folder, noCommands.onCommand)
  const copy = await mkdtemp(join(tmpdir(), 'thingsync-folder-'))
  endings.push(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })

  await own(copy, noCommands.onCommand)
})

test('a command runs in the owner, and its outcome comes back', async () => {
  await own(folder, async (command) => ({ ran: command, by: process.pid }))

  const result = await sendCommand(folder, { name: 'user add', password: 'ünicode 🗝' })

  const outcome = { ran: { name: 'user add', password: 'ünicode 🗝' }, by: process.pid }
  expect(result).toEqual({ status: 'done', outcome })
})

test('a command without an owner and a command that fails have different results', async () => {
  const nobody = await sendCommand(folder, {})
  const owned = await own(folder, () => Promise.reject(new Error('a secret of the server')))
  const failed = await sendCommand(folder, {})
  await owned.stopCommands()

  expect([nobody, failed]).toEqual([{ status: 'no owner' }, { status: 'failed' }])
})

test('a command of the folder’s copy does not run in the owner of the folder', async () => {
  await own(folder, async () => 'ran')
  const copy = await mkdtemp(join(tmpdir(), 'thingsync-folder-'))
  endings.push(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })

  expect(await sendCommand(copy, {})).toEqual({ status: 'no owner' })
})

test.each<[string, () => Server]>([
  ['speaks HTTP', () => createHttpServer((_, res) => res.end('hello'))],
  [
    'speaks something else',
    () => createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-other\r\n')),
  ],
  ['says nothing', () => createServer((socket) => endings.push(() => socket.destroy()))],
])(
  'another program that %s at the port of a killed owner is no owner',
  async (_, createOther) => {
    const first = startProcess()
    const { port } = Object(await first.said)
    await kill(first.process)
    await occupy(createOther(), port)

    const sent = await sendCommand(folder, {})
    const owned = await own(folder, async (command) => ({ ran: command }))

    expect(sent).toEqual({ status: 'no owner' })
    expect(owned.port).not.toBe(port)
    expect(await sendCommand(folder, 'find me')).toEqual({ status: 'done', outcome: { ran: 'find me' } })
  },
  300_000,
)

test('an owner of this machine that does not respond is named, and the folder stays its own', async () => {
  const first = startProcess()
  await first.said
  first.process.kill('SIGSTOP')

  const owned = ownFolder(folder, noCommands)

  await expect(owned).rejects.toThrow(
    `data folder ${folder} is in use by thingsync process ${first.process.pid}, which does not respond; stop it first`,
  )
  first.process.kill('SIGCONT')
  expect(await sendCommand(folder, 'still there')).toEqual({ status: 'done', outcome: { ran: 'still there' } })
})

test('of ten that start at once after kill -9 exactly one owns the folder', async () => {
  const killed = startProcess()
  await killed.said
  await kill(killed.process)
  const starters = Array.from({ length: 10 }, startProcess)

  const said = await Promise.all(starters.map((starter) => starter.said))

  expect(said.filter((line) => !Object.hasOwn(Object(line), 'owner'))).toHaveLength(1)
})

test('processes that take turns, and are killed, never own the folder at the same time', async () => {
  // Each owner makes a file that only one may make, and removes it before it leaves, or is killed with it.
  const program = `
    import { open, rm } from 'node:fs/promises'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { ownFolder } from ${JSON.stringify(built)}
    const mark = ${JSON.stringify(join(folder, 'mark'))}
    console.log('ready')
    for await (const _ of process.stdin) break
    for (let rounds = 0; rounds < 25;) {
      const owned = await ownFolder(${JSON.stringify(folder)}, { onCommand: async () => process.pid })
      if ('owner' in owned) {
        await sleep(Math.random() * 3)
        continue
      }
      const isLast = process.argv[1] === 'killed' && rounds === 3
      // The next owner removes the files of a killed owner.
      const found = await open(mark, 'r').catch(() => undefined)
      const before = Number(await found?.readFile('utf8') ?? 0)
      await found?.close()
      let lives = before !== 0
      try { lives &&= process.kill(before, 0) } catch { lives = false }
      if (lives) throw new Error('process ' + before + ' owns the folder too')
      await rm(mark, { force: true })
      const handle = await open(mark, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      await sleep(Math.random() * 5)
      if (isLast) process.kill(process.pid, 'SIGKILL')
      if (!(await owned.isHeld())) throw new Error('lost')
      await rm(mark)
      await owned.stopCommands()
      await owned.release()
      rounds += 1
    }`
  const start = async (kind: string) => {
    const args = ['--input-type=module', '--eval', program, kind]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    endings.push(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    return child
  }
  const go = async (child: ChildProcess) => {
    child.stdin?.end('go')
    const [code, signal] = await once(child, 'exit')
    return code ?? signal
  }
  // A process that starts alone would be done before the next one begins.
  const children = await Promise.all(['stays', 'stays', 'stays', 'killed', 'killed'].map(start))
  const results: unknown[] = []
  let hasEnded = false
  const commands = (async () => {
    while (!hasEnded) results.push((await sendCommand(folder, {})).status)
  })()

  const ends = await Promise.all(children.map(go))
  hasEnded = true
  await commands

  expect(ends).toEqual([0, 0, 0, 'SIGKILL', 'SIGKILL'])
  expect(results).toContain('done')
  expect(results.filter((status) => !['done', 'no owner', 'unknown'].includes(String(status)))).toEqual([])
  expect((await findOwnerFile(folder))?.isFree).toBe(true)
})

test.each([
  ['before it began to respond was not run', false, 'no owner'],
  ['after it began to respond may have been run', true, 'unknown'],
])('a command whose owner ends %s', async (_, begins, status) => {
  const control = await readControlFile(folder)
  const owner = { pid: 1, state: 'owner', folder: control.folder, ticket: 'one' }
  const server = createHttpServer(async (request, response) => {
    const requested = unsealJson(control.key, `ask ${request.url}`, await text(request)) as { nonce: string }
    if (request.url === '/owner') {
      response.end(sealJson(control.key, `response ${requested.nonce}`, owner))
      return
    }
    if (begins) response.flushHeaders()
    server.close()
    setTimeout(() => server.closeAllConnections(), 50)
  })
  await occupy(server)
  await createOwnerFile(folder, undefined, { ...(await readOwnProcess()), port: findPort(server) })

  const result = await sendCommand(folder, {})

  expect(result).toEqual({ status })
})

test('an unauthenticated client gets no response from the owner and reads no command', async () => {
  const owned = await own(folder, async () => 'ran')

  const response = await fetch(`http://127.0.0.1:${owned.port}/command`, { method: 'POST', body: '{"command":"x"}' })

  expect([response.status, await response.text()]).toEqual([403, ''])
})

test('the control file is private and whole, and only it and the owner file stay in the folder', async () => {
  await own(folder, noCommands.onCommand)

  const { mode } = await stat(join(folder, 'control.json'))

  expect((mode & 0o777).toString(8)).toBe('600')
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'control.json',
    'owner',
    join('owner', '000000001.json'),
  ])
  expect(Object.keys(JSON.parse(await readFile(join(folder, 'control.json'), 'utf8')))).toEqual(['about', 'key'])
})

test('a damaged control file is named', async () => {
  await writeFile(join(folder, 'control.json'), '{"key":"a')

  await expect(ownFolder(folder, noCommands)).rejects.toThrow(
    `${join(folder, 'control.json')} is damaged; stop each thingsync that uses the folder, then delete this file`,
  )
})

test('a folder instead of the control file or an owner file is named', async () => {
  const [control, owner] = [join(folder, 'control.json'), join(folder, 'owner', '000000001.json')]
  await mkdir(control)

  const owned = ownFolder(folder, noCommands)
  await expect(owned).rejects.toThrow(
    `${control} is not a file; stop each thingsync that uses the folder, then delete it`,
  )

  await rmdir(control)
  await mkdir(owner, { recursive: true })
  const ownedAgain = ownFolder(folder, noCommands)
  await expect(ownedAgain).rejects.toThrow(
    `${owner} is not a file; stop each thingsync that uses the folder, on all machines, then delete it`,
  )
})

test('a missing folder is created as private where that is allowed, and named where it must exist', async () => {
  const missing = join(folder, 'new', 'data')

  await expect(requireFolder(missing)).rejects.toThrow(
    `data folder: ${missing} does not exist; check the path, or choose another folder with --data or THINGSYNC_DATA`,
  )
  await createFolder(missing)

  expect(((await stat(missing)).mode & 0o777).toString(8)).toBe('700')
})

test('a path through a file is rejected with what to do', async () => {
  await writeFile(join(folder, 'file'), '')

  await expect(createFolder(join(folder, 'file'))).rejects.toThrow(
    'is a file; give a folder with --data or THINGSYNC_DATA',
  )
  await expect(createFolder(join(folder, 'file', 'data'))).rejects.toThrow('part of its path is a file')
})

test.runIf(existsSync('/proc/self'))('a folder that its file system does not take is rejected, and soon', async () => {
  await expect(createFolder('/proc/x/y')).rejects.toThrow('data folder: /proc/x cannot be created')
  await expect(createFolder('/dev/null')).rejects.toThrow('data folder: /dev/null is a file')
  const created = createFolder('/proc').then(() => ownFolder('/proc', noCommands))
  await expect(created).rejects.toThrow(/^data folder: \/proc (accepts no new files|may not be written)/)
})

test('a folder that this user must not write is rejected with what to do', async () => {
  const locked = join(folder, 'locked')
  await mkdir(locked)
  await chmod(locked, 0o555)
  await chmod(folder, 0o755)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  endings.push(() => isRoot && process.seteuid?.(0))

  await expect(createFolder(join(locked, 'new'))).rejects.toThrow('/locked/new may not be written by this user')
})
