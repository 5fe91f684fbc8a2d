import type { Send, SendInit } from './create-api.ts'
import type { TokenSource } from './token-source.ts'

/**
 * Sends requests with the access token in the header (interface 5.3). A request that is answered that its token is
 * invalid (interface 7; with which status is left open) is sent once more with a new one; it was not carried out.
 */
export const authorize = (send: Send, source: TokenSource, toHeader: (token: string) => string): Send => {
  const sendWith = (request: Request, token: string, init?: SendInit) => {
    request.headers.set('authorization', toHeader(token))
    return send(request, init)
  }
  return async (request, init) => {
    const again = request.clone()
    const token = await source.getAccessToken()
    const answer = await sendWith(request, token, init)
    if (answer.ok || !(await isTokenInvalid(answer.clone()))) return answer
    return sendWith(again, await source.getAccessToken(token), init)
  }
}

const isTokenInvalid = async (answer: Response): Promise<boolean> => {
  const text = await answer.text()
  try {
    return JSON.parse(text)?.error === 'invalid_grant'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
