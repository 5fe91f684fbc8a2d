import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP connection to a server, for what fetch would not send or would hide. */
export interface RawConnection {
  readonly socket: Socket
  /** Everything that was received until now, as Latin-1. */
  readonly received: () => string
  /** Everything that was received, once the connection is closed by the server or broken. */
  readonly ended: Promise<string>
}

/** Connects to the server and writes the text; what is open when the test is finished is destroyed. */
export const openRaw = async (baseUrl: string, text: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  onTestFinished(() => {
    socket.destroy()
  })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  // A reset ends a connection too; that it does not end well is for the test to see in what was received.
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(received)).on('close', () => resolve(received))
  })
  await once(socket, 'connect')
  socket.write(text)
  return { socket, received: () => received, ended }
}

/** The head of a request as it goes over the wire. */
export const rawHead = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
