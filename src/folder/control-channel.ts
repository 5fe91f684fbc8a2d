import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { sealJson, unsealJson } from '../seal.ts'
import { createFileAtomically, FolderError, withFolderAdvice } from './data-folder.ts'

/** The identity and the key by which the processes of one data folder recognize each other. */
export interface Control {
  /** The real path of the folder, and its identity on the file system: a copy of a folder is another folder. */
  readonly folder: { readonly path: string; readonly device: string; readonly inode: string }
  /** 32 bytes that are known only to users who may read the folder. */
  readonly key: Buffer
}

const about = 'commands and the running server identify each other by this file; never delete it while one of them runs'

/**
 * Reads `control.json` of a data folder. The first process creates it atomically, readable by its owner only.
 * @throws FolderError when it cannot be read or written, or is damaged
 */
export async function readControlFile(folder: string): Promise<Control> {
  return withFolderAdvice(folder, async () => {
    const path = await realpath(folder)
    const file = join(path, 'control.json')
    const text = (await readIfPresent(file)) ?? (await createControlFile(file))
    const { dev, ino } = await stat(path, { bigint: true })
    return { folder: { path, device: String(dev), inode: String(ino) }, ...parseControl(file, text) }
  })
}

/**
 * Describes the damage of `control.json` in a data folder; undefined when it is valid or missing.
 * @throws FolderError when it cannot be read
 */
export async function findControlDamage(folder: string): Promise<string | undefined> {
  const file = join(folder, 'control.json')
  const text = await withFolderAdvice(folder, () => readIfPresent(file))
  try {
    if (text !== undefined) parseControl(file, text)
    return undefined
  } catch (error) {
    if (error instanceof FolderError) return error.message
    throw error
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    if (!(await stat(file)).isFile())
      throw new FolderError(`${file} is not a file; stop each thingsync that uses the folder, then delete it`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function createControlFile(file: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  try {
    await createFileAtomically(file, () => `${JSON.stringify({ about, key })}\n`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new FolderError(
      `data folder: ${dirname(file)} accepts no new files; choose another folder with --data or THINGSYNC_DATA`,
    )
  }
  return readFile(file, 'utf8')
}

function parseControl(file: string, text: string): Pick<Control, 'key'> {
  const damaged = new FolderError(`${file} is damaged; stop each thingsync that uses the folder, then delete this file`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged
    throw error
  }
  if (typeof value !== 'object' || value === null || !('key' in value) || typeof value.key !== 'string') throw damaged
  const key = Buffer.from(value.key, 'base64url')
  if (key.length !== 32) throw damaged
  return { key }
}

/** Runs a command of another process and returns its outcome; both are JSON values. */
export type CommandHandler = (command: unknown) => Promise<unknown>

/** The listener of a process that owns, or wants to own, a data folder. */
export interface ControlChannel {
  readonly port: number
  readonly setState: (state: OwnerState) => void
  /** Resolves when no command is running. */
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

const maxTickets = 1000
const maxRequestCharacters = 1024 * 1024

/**
 * Opens a listener for the process that claims a folder, on a free port of 127.0.0.1. Returns undefined when there is
 * no such port, as in a sandbox without a network. It accepts requests only from holders of the key of the folder:
 * `/owner` returns the owner, `/command` runs a command, once for each ticket.
 */
export async function openControlChannel(
  control: Control,
  onCommand: CommandHandler,
): Promise<ControlChannel | undefined> {
  let state: OwnerState = 'claiming'
  const tickets = new Set<string>()
  const running = new Set<Promise<unknown>>()

  const drawTicket = () => {
    const ticket = randomUUID()
    const oldest = tickets.values().next()
    if (tickets.size >= maxTickets && !oldest.done) tickets.delete(oldest.value)
    tickets.add(ticket)
    return ticket
  }
  const describeOwner = (): Owner => ({ pid: process.pid, state, folder: control.folder, ticket: drawTicket() })
  const runCommand = async (ticket: unknown, command: unknown) => {
    if (state !== 'owner' || typeof ticket !== 'string' || !tickets.delete(ticket)) return { status: 'not run' }
    const run = Promise.resolve(command)
      .then(onCommand)
      .then(
        (outcome) => ({ status: 'done', outcome }),
        () => ({ status: 'failed' }),
      )
    running.add(run)
    void run.then(() => running.delete(run))
    return run
  }

  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000, keepAliveTimeout: 1 }, async (req, res) => {
    const received = unsealJson(control.key, `ask ${req.url}`, await readBody(req))
    if (!isControlRequest(received)) {
      res.writeHead(403, { connection: 'close' }).end()
      return
    }
    res.writeHead(200, { connection: 'close' })
    // A sender that sees no response headers knows that nothing was run, and may try the next owner.
    if (req.url === '/command') res.flushHeaders()
    const result = req.url === '/command' ? await runCommand(received.ticket, received.command) : describeOwner()
    res.end(sealJson(control.key, `response ${received.nonce}`, result))
  })
  const port = await listen(server)
  if (port === undefined) return undefined
  return {
    port,
    setState: (next) => {
      state = next
    },
    idle: async () => void (await Promise.all(running)),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeIdleConnections()
      }),
  }
}

function listen(server: Server): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => {
      const address = server.address()
      resolve(typeof address === 'object' ? address?.port : undefined)
    })
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes(String(error.code))) resolve(undefined)
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true })
  })
}

/** Reads the body. Returns an empty text, which does not unseal, when the body is too long or breaks off. */
async function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    req.setEncoding('latin1')
    req.on('data', (chunk: string) => {
      text = text.length > maxRequestCharacters ? text : text + chunk
    })
    req.on('end', () => resolve(text.length > maxRequestCharacters ? '' : text))
    req.on('error', () => resolve(''))
  })
}

function isControlRequest(value: unknown): value is { readonly nonce: string; readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && 'nonce' in value && typeof value.nonce === 'string'
}

/**
 * `claiming`: checks whether another process owns the folder; `owner`: runs commands; `leaving`: releases the folder.
 */
type OwnerState = 'claiming' | 'owner' | 'leaving'

/** The owner of a folder, as it describes itself. A ticket is valid for one command. */
interface Owner {
  readonly pid: number
  readonly state: OwnerState
  readonly folder: Control['folder']
  readonly ticket: string
}

// Responses may be longer than requests: a list of all users of a large server, for example.
const maxResponseCharacters = 64 * 1024 * 1024

/** Finds the owner of this folder on a port of 127.0.0.1; undefined when it does not respond within 5 s. */
export async function queryOwner(control: Control, port: number): Promise<Owner | undefined> {
  const result = await postSealed(control, port, '/owner', {}, 5)
  if (typeof result === 'string') return undefined
  const owner = result.value as Owner
  const { path, device, inode } = control.folder
  const isThisFolder = owner.folder.path === path || (owner.folder.device === device && owner.folder.inode === inode)
  return isThisFolder ? owner : undefined
}

/**
 * Posts a value to the process on a port and returns its unsealed response, or why there is none.
 * - `unreachable`: nothing listens on the port.
 * - `unauthenticated`: the other process does not have the key of the folder.
 * - `silent`: no whole response arrived within `waitSeconds`.
 * - `cut off`: the connection ended before the response began.
 *
 * Only a holder of the key of the folder can seal a value, so the shape of an unsealed value is trusted.
 */
export async function postSealed(
  control: Control,
  port: number,
  path: '/owner' | '/command',
  value: object,
  waitSeconds: number,
): Promise<{ readonly value: unknown } | 'unreachable' | 'unauthenticated' | 'silent' | 'cut off'> {
  const nonce = randomUUID()
  const signal = AbortSignal.timeout(waitSeconds * 1000)
  let hasBegun = false
  try {
    const body = sealJson(control.key, `ask ${path}`, { ...value, nonce })
    const text = await post(port, path, body, signal, () => {
      hasBegun = true
    })
    const opened = unsealJson(control.key, `response ${nonce}`, text)
    return opened === undefined ? 'unauthenticated' : { value: opened }
  } catch (error) {
    if (signal.aborted) return 'silent'
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // A sandbox may have no network at all, not even loopback.
    if (code === 'ECONNREFUSED' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return 'unreachable'
    if (code === 'ECONNRESET' || code === 'EPIPE') return hasBegun ? 'unauthenticated' : 'cut off'
    if (code === 'tooLong' || code.startsWith('HPE_')) return 'unauthenticated'
    throw error
  }
}

function post(port: number, path: string, body: string, signal: AbortSignal, onBeginning: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', signal, agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      onBeginning()
      let text = ''
      response.setEncoding('latin1')
      response.on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxResponseCharacters)
          response.destroy(Object.assign(new Error('too long'), { code: 'tooLong' }))
      })
      response.on('end', () => resolve(text))
    })
    sent.end(body)
  })
}
