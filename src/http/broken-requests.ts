import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Connections } from './connections.ts'
import { nameBrokenRequest } from './request-id.ts'
import { noteSentStatus } from './sent-status.ts'

/** Gives what Node cannot read as HTTP, and what arrives too slowly, an error object like everything else. */
export const answerBrokenRequests = (server: Server, connections: Connections, log: Logger): void => {
  const answerError = createAnswerError(log)
  // Node answers an expectation that it does not know without a body; nothing here depends on one.
  server.on('checkExpectation', (request, answer) => server.emit('request', request, answer))
  // Without a listener Node closes the connection without a word. This is no proxy.
  server.on('connect', (_request, socket) => answerError(new Error('CONNECT'), socket))
  // Whether a client should send its body is said when the head of its request was judged.
  server.on('checkContinue', (request, answer) => server.emit('request', request, answer))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const running = connections.listRunning(socket as Socket)
    const isAnswering = running.some(
      (answer) => answer.socket === socket && (answer.headersSent || answer.req.complete),
    )
    // The client would take the error for a part of the response that is being sent, or for the response to a request
    // that was complete and may have been carried out.
    if (isAnswering || connections.isAnsweredEarly(socket as Socket)) socket.destroy()
    else {
      const broken = running.find(({ req }) => !req.complete)
      answerError(error, socket, broken)
    }
  })
}

const createAnswerError =
  (log: Logger) =>
  (error: NodeJS.ErrnoException, socket: Duplex, answer?: ServerResponse): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
    const body = JSON.stringify({ error: 'parameter_invalid', error_description: 'The request cannot be read as HTTP' })
    const requestId = answer === undefined ? randomUUID() : nameBrokenRequest(answer.req)
    const statusCode = Number.parseInt(status, 10)
    // Whoever has ended its side in the middle of a body is hardly there to be told.
    if (answer !== undefined && error.code !== 'HPE_INVALID_EOF_STATE') noteSentStatus(answer, statusCode)
    log.info({ requestId, status: statusCode, code: error.code }, 'a request could not be read')
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nx-request-id: ${requestId}\r\n\r\n${body}`,
    )
  }
