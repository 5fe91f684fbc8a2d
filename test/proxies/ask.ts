import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { localCertificate } from '../support/certificate.ts'

/** Sends a request over a connection of its own, and gives the answer as soon as it begins. */
export const send = async (url: string, options: object = {}, body: string | Buffer = ''): Promise<IncomingMessage> => {
  const asked = request(url, { ca: localCertificate.cert, agent: false, ...options })
  // Told to `once` until the answer comes; a refused upload is cut off behind it.
  asked.on('error', () => undefined)
  const [answer] = await Promise.all([once(asked, 'response'), asked.end(body)])
  return answer[0]
}

const readAll = async (answer: IncomingMessage): Promise<string> => Buffer.concat(await answer.toArray()).toString()

/** Sends a request, and gives the whole answer. */
export const ask = async (url: string, options: object = {}, body: string | Buffer = '') => {
  const answer = await send(url, options, body)
  return { status: answer.statusCode, headers: answer.headers, text: await readAll(answer) }
}
