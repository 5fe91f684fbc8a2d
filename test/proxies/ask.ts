import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { localCertificate } from '../support/certificate.ts'

/** Sends a request over a connection of its own, and returns the response as soon as it begins. */
export const send = async (url: string, options: object = {}, body: string | Buffer = ''): Promise<IncomingMessage> => {
  const requested = request(url, { ca: localCertificate.cert, agent: false, ...options })
  // `once` reports errors until the response comes; a rejected upload is cut off after it.
  requested.on('error', () => undefined)
  const [response] = await Promise.all([once(requested, 'response'), requested.end(body)])
  return response[0]
}

const readAll = async (response: IncomingMessage): Promise<string> => Buffer.concat(await response.toArray()).toString()

/** Sends a request, and returns the whole response. */
export const sendRequest = async (url: string, options: object = {}, body: string | Buffer = '') => {
  const response = await send(url, options, body)
  return { status: response.statusCode, headers: response.headers, text: await readAll(response) }
}
