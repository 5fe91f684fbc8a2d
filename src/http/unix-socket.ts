import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'

/** A path that cannot be made a socket; the message is a sentence for the operator. */
export class SocketRefused extends Error {
  override readonly name = 'SocketRefused'
}

/** What a path of a socket may have on every system; Node would cut a longer one off, and listen somewhere else. */
const mostBytes = 103

/**
 * Makes room for a Unix socket: removes the one of a server that ended without removing it, and nothing else. Whether
 * somebody listens on it is found out by knocking: the name alone stays behind after a crash.
 * @throws SocketRefused when somebody listens there, when what is there is no socket, or when the path is too long for one
 */
export const removeStaleSocket = async (path: string): Promise<void> => {
  if (Buffer.byteLength(path) > mostBytes) {
    throw new SocketRefused(`socket: ${path} is too long; paths of sockets have at most ${mostBytes} bytes`)
  }
  const found = await lstat(path).catch(whenMissing)
  if (found === undefined) return
  if (!found.isSocket()) throw new SocketRefused(`socket: ${path} is there and is no socket; name another one`)
  if (await isAnswered(path)) throw new SocketRefused(`socket: another program listens on ${path}; name another one`)
  await rm(path, { force: true })
}

const whenMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // ENOENT: its owner has just removed it.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      // EAGAIN: it listens, and its queue is full.
      else if (error.code === 'EACCES' || error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })
