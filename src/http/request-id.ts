import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The name of a request, the same whenever it is asked for: in its answer's `X-Request-Id` and in the log. */
export type NameRequest = (request: IncomingMessage) => string

const nameOf = Symbol('the name of a request')
type Named = IncomingMessage & { [nameOf]?: string }

// Nothing in it can end a line or a header, or look like a secret to the log.
const harmless = /^[\w.:-]{1,128}$/

const nameWith = (request: Named, makeName: () => string): string => {
  const known = request[nameOf]
  if (known !== undefined) return known
  const given = request.headers['x-request-id']
  const name = typeof given === 'string' && harmless.test(given) ? given : makeName()
  request[nameOf] = name
  return name
}

/** The name of a request that is answered before anybody asked for its name. */
export const nameBrokenRequest: NameRequest = (request) => nameWith(request, randomUUID)

/**
 * Names requests: as their clients named them in `X-Request-Id`, if that is harmless, else by a number behind a text of this
 * run, which costs no randomness per request.
 */
export const createRequestNames = (): NameRequest => {
  const run = randomBytes(6).toString('hex')
  let last = 0
  const makeName = () => `${run}-${++last}`
  return (request) => nameWith(request, makeName)
}
