import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, and what is being answered on them. */
export interface Connections {
  /** To be told of each new connection. */
  readonly add: (socket: Socket) => void
  /** To be told of each request and its answer; gives how many of its connection wait for their answers now. */
  readonly note: (request: IncomingMessage, answer: ServerResponse) => number
  readonly count: () => number
  readonly list: () => Iterable<Socket>
  /** The answers on a connection that are not sent yet, in the order of their requests. */
  readonly listRunning: (socket: Socket) => readonly ServerResponse[]
  /** True while the rest of a request arrives that has its answer already. */
  readonly isAnsweredEarly: (socket: Socket) => boolean
}

const none: ServerResponse[] = []

/** No connection is open. */
export const createConnections = (): Connections => {
  const connections = new Map<Socket, ServerResponse[]>()
  return {
    add: (socket) => {
      connections.set(socket, none)
      socket.once('close', () => connections.delete(socket))
    },
    note: ({ socket }, answer) => {
      const answers = connections.get(socket)
      // A listener on each answer would tell when it is sent, and cost each request as much as judging its token.
      while (answers?.[0]?.closed === true) answers.shift()
      if (answers === undefined) return 0
      if (answers.length > 0) return answers.push(answer)
      // A list that grows from nothing has room for 17, and there may be very many that wait for one answer.
      connections.set(socket, [answer])
      return 1
    },
    count: () => connections.size,
    list: () => connections.keys(),
    isAnsweredEarly: (socket) => {
      const last = connections.get(socket)?.at(-1)
      return last?.writableEnded === true && !last.req.complete
    },
    listRunning: (socket) => connections.get(socket)?.filter((answer) => !answer.closed) ?? [],
  }
}
