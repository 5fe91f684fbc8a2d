import type { IncomingMessage } from 'node:http'
import { type Api, answerRequest } from '../api/answer-request.ts'
import type { FindAddress } from './client-address.ts'
import type { NameRequest } from './request-id.ts'
import { type AnswerContext, createAnswerWriter } from './write-answer.ts'
import { writeEvents } from './write-events.ts'

/** Koa's context, as far as the API is answered with it. */
export interface ApiContext extends AnswerContext {
  readonly req: IncomingMessage
  readonly method: string
  readonly state: { userId?: unknown }
}

const waitsForContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() === '100-continue'

/** Answers what is below the base address. */
export const createApiServer = (api: Api, findAddress: FindAddress, nameRequest: NameRequest) => {
  const writeAnswer = createAnswerWriter(nameRequest)
  return async (ctx: ApiContext, path: string, query: string): Promise<void> => {
    const { req } = ctx
    const request = {
      method: ctx.method,
      path,
      query,
      authorization: req.headers.authorization,
      contentType: req.headers['content-type'] ?? '',
      message: req,
      continueBody: waitsForContinue(req) ? () => ctx.res.writeContinue() : undefined,
      presence: ctx.res,
      address: findAddress(req),
      requestId: () => nameRequest(req),
    }
    const answer = await answerRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    if (answer.events === undefined) await writeAnswer(ctx, answer)
    else writeEvents(ctx, answer, nameRequest(req))
  }
}
