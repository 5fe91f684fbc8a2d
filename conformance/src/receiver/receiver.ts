import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, type Answering, createMailbox, type Delivery, type Mailbox, type OpenMailbox } from './mailbox.ts'

/** Where the suite listens as a receiver of webhooks. */
export interface ReceiverOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** How the server under test reaches it, when not by host and port. */
  readonly url?: string
}

/** A mailbox, and what ends it. */
export interface LentMailbox {
  readonly mailbox: Mailbox
  readonly shut: () => void
}

/** The receiver of webhooks and of push messages that the suite plays, with an address for each mailbox. */
export interface Receiver {
  /** How the server under test reaches it; no slash at the end. */
  readonly url: string
  readonly lend: (answering: Answering, onAnswered: (delivery: Delivery, answer: Answer) => void) => LentMailbox
  readonly close: () => Promise<void>
}

/** Starts to listen; rejects with the system's error where that is not possible. */
export const openReceiver = async ({ host, port, url }: ReceiverOptions): Promise<Receiver> => {
  const mailboxes = new Map<string, OpenMailbox>()
  const hearing = { hasHeard: false, vain: 0 }
  const server = createServer((request, response) => {
    const name = /[^/]+$/.exec((request.url ?? '').split('?')[0] ?? '')?.[0] ?? ''
    const mailbox = mailboxes.get(name)
    if (mailbox === undefined) {
      response.writeHead(410).end()
      return
    }
    // A request that breaks off is none that was delivered.
    mailbox.accept(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const base = (url ?? `http://${shown}:${address.port}`).replace(/\/+$/, '')
  return {
    url: base,
    lend: (answering, onAnswered) => {
      const name = randomBytes(12).toString('hex')
      const mailbox = createMailbox(`${base}/${name}`, answering, onAnswered, hearing)
      mailboxes.set(name, mailbox)
      return { mailbox, shut: mailbox.shut }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
