import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { sealJson, unsealJson } from '../seal.ts'
import type { Owner, OwnerState } from './ask-owner.ts'
import type { Control } from './control-file.ts'

/** Runs one command of another process and gives its outcome; both are JSON values. */
export type CommandHandler = (command: unknown) => Promise<unknown>

/** The listener of a process that owns, or wants to own, a data folder. */
export interface ControlChannel {
  readonly port: number
  readonly setState: (state: OwnerState) => void
  /** Resolves when no command is running any more. */
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

const maxTickets = 1000
const maxQuestionCharacters = 1024 * 1024

/**
 * Listens on any free port of 127.0.0.1 as the one who claims the folder, or gives undefined when there is none, as in a
 * sandbox without a network.
 * Answers only to holders of the folder's key: `/owner` says who it is, `/command` runs a command, once per ticket.
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
  const introduce = (): Owner => ({ pid: process.pid, state, folder: control.folder, ticket: drawTicket() })
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
    const asked = unsealJson(control.key, `ask ${req.url}`, await readBody(req))
    if (!isQuestion(asked)) {
      res.writeHead(403, { connection: 'close' }).end()
      return
    }
    res.writeHead(200, { connection: 'close' })
    // Who sees no beginning of an answer knows that nothing was run, and may ask the next owner.
    if (req.url === '/command') res.flushHeaders()
    const answer = req.url === '/command' ? await runCommand(asked.ticket, asked.command) : introduce()
    res.end(sealJson(control.key, `answer ${asked.nonce}`, answer))
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

/** What was sent, or nothing where it is too long or breaks off: it will not unseal. */
async function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    req.setEncoding('latin1')
    req.on('data', (chunk: string) => {
      text = text.length > maxQuestionCharacters ? text : text + chunk
    })
    req.on('end', () => resolve(text.length > maxQuestionCharacters ? '' : text))
    req.on('error', () => resolve(''))
  })
}

function isQuestion(value: unknown): value is { readonly nonce: string; readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && 'nonce' in value && typeof value.nonce === 'string'
}
