import type { EventsAnswer } from '../api/handlers.ts'
import { type AnswerContext, everyHeader, requestIdHeader } from './write-answer.ts'

const eventHeaders: Readonly<Record<string, string>> = {
  ...everyHeader,
  'content-type': 'text/event-stream',
  // Some proxies gather an answer before they hand it over, unless they are told not to.
  'x-accel-buffering': 'no',
}

/** Writes an answer that goes on for as long as its client stays, past Koa and never compressed; to a HEAD its headers. */
export const writeEvents = (ctx: AnswerContext, { status, events }: EventsAnswer, name: string): void => {
  const { res } = ctx
  ctx.respond = false
  ctx.status = status
  ctx.set({ ...eventHeaders, [requestIdHeader]: name })
  if (res.req.method === 'HEAD') res.end()
  else events.begin(res)
}
