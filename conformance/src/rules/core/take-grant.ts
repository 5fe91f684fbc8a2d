import type { Reply } from '../../client.ts'
import { asSetup, Finding } from '../../finding.ts'
import { type JsonObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'

/** A judged password grant of user 1. */
export const takeGrant = async (lab: Lab): Promise<{ reply: Reply; json: JsonObject; token: string }> => {
  const reply = await lab.token()
  return { reply, token: readAccessToken(reply), json: reply.json ?? {} }
}

/** The request_token of a new password grant, as a preparing step. */
export const takeRequestToken = (lab: Lab): Promise<string> =>
  asSetup('a password grant with a request_token', async () => {
    const { json, reply } = await takeGrant(lab)
    if (typeof json.request_token === 'string') return json.request_token
    throw new Finding('a request_token', `${showValue(json.request_token)} came`, reply.exchange)
  })

/** The request_token of a token answer; a Finding without one, because nothing can be refreshed then. */
export const readRequestToken = (reply: Reply): string => {
  const token = reply.json?.request_token
  if (typeof token === 'string' && token !== '') return token
  throw new Finding('a token answer with a request_token', `${showValue(token)} came`, reply.exchange)
}

/** A refresh_token grant with the token, not judged. */
export const refresh = (lab: Lab, requestToken: string, changes: Record<string, string> = {}): Promise<Reply> =>
  lab.token({ grant_type: 'refresh_token', refresh_token: requestToken, ...changes })
