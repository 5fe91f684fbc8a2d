import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { localCertificate } from '../support/certificate.ts'

/** Sends a request over a connection of its own, and gives the answer as soon as it begins. */
export const send = async (url: string, options: object = {}, body: string | Buffer = ''): Promise<IncomingMessage> => {
  const asked = request(url, { ca: localCertificate.cert, agent: false, ...options })
  // Told to `once` until the answer comes; a refused upload is cut off behind it.
  asked.on('error', () => undefined)
  const [response] = await Promise.all([once(asked, 'response'), asked.end(body)])
  return response[0]
}

const readAll = async (response: IncomingMessage): Promise<string> => Buffer.concat(await response.toArray()).toString()

/** Sends a request, and gives the whole answer. */
export const ask = async (url: string, options: object = {}, body: string | Buffer = '') => {
  const response = await send(url, options, body)
  return { status: response.statusCode, headers: response.headers, text: await readAll(response) }
}
