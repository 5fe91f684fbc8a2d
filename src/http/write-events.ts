import type { ServerResponse } from 'node:http'
import type { EventsAnswer } from '../api/handlers.ts'
import { type AnswerContext, everyHeader, requestIdHeader } from './write-answer.ts'

const eventHeaders = Object.entries({
  ...everyHeader,
  'content-type': 'text/event-stream',
  // Some proxies gather an answer before they hand it over, unless they are told not to.
  'x-accel-buffering': 'no',
}).flat()

const noHeaders = Object.freeze({})
const noRawHeaders: string[] = []
Object.freeze(noRawHeaders)

/**
 * Koa keeps its context until an answer is over, nearly 3 KB for each. It learns that by on-finished, which also listens to
 * `end`, an event that answers of Node's server do not have: told so, it takes all of its listeners away.
 */
const leaveKoa = (res: ServerResponse): void => {
  res.emit('end')
}

/**
 * Writes an answer that goes on for as long as its client stays, past Koa and never compressed; to a HEAD its headers.
 * There may be very many, so each is left holding little: headers that are set one by one are kept one by one, a head that
 * goes out with the first text stays in the pieces that it was put together of, and nobody reads the request's headers again.
 */
export const writeEvents = (ctx: AnswerContext, { status, events }: EventsAnswer, name: string): void => {
  const { res } = ctx
  ctx.respond = false
  res.writeHead(status, [...eventHeaders, requestIdHeader, name])
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  res.req.headers = noHeaders
  res.req.rawHeaders = noRawHeaders
  leaveKoa(res)
  events.begin(res)
}
