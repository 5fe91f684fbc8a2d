import type { Client, RawRequest } from './client.ts'
import { NoAnswer } from './finding.ts'
import { isSyncAnswer } from './sync-answer.ts'
import type { Target } from './target.ts'

/** A way to present the access token (interface 5.3); a header by its template with `{token}`. */
export type Way = { readonly kind: 'header'; readonly template: string } | { readonly kind: 'query' | 'form' }

/** Header forms that servers are known to take; the interface leaves the form open. */
export const usualHeaders: readonly string[] = [
  'Bearer {token}',
  'OAuth {token}',
  'access_token={token}',
  'Token {token}',
  'bearer {token}',
  'Bearer access_token={token}',
  'OAuth access_token={token}',
  'access_token="{token}"',
  'Bearer access_token="{token}"',
  'OAuth access_token="{token}"',
  'OAuth oauth_token={token}',
  'Token token={token}',
  'Token token="{token}"',
  'access_token {token}',
  'access_token: {token}',
  'access-token={token}',
  'oauth_token={token}',
  'token={token}',
  'bearer={token}',
  'Bearer={token}',
  'OAuth={token}',
  'oauth={token}',
  'Authorization={token}',
  '{token}',
]

/** The request with the token presented this way, and no other. */
export const presentToken = (request: RawRequest, token: string, way: Way): RawRequest => {
  if (way.kind === 'header') {
    return { ...request, headers: { ...request.headers, Authorization: way.template.replaceAll('{token}', token) } }
  }
  if (way.kind === 'query') return { ...request, query: [...(request.query ?? []), ['access_token', token]] }
  return { ...request, form: [...(request.form ?? []), ['access_token', token]] }
}

/** Whether a status says that there is no such operation. */
export const isMissing = (status: number | undefined): boolean => status === 404 || status === 405 || status === 501

/** A way that works: the header form that was found, or without one the parameter that fits the request. */
export const chooseWay = (template: string | undefined, request: RawRequest): Way => {
  if (template !== undefined) return { kind: 'header', template }
  return { kind: request.form === undefined ? 'query' : 'form' }
}

/** The header forms with which the target answers a sync, in the order tried; only the first one unless `all`. */
export const findHeaderForms = async (
  client: Client,
  target: Target,
  token: string,
  all: boolean,
): Promise<string[]> => {
  const given = target.authHeaders ?? []
  const found: string[] = []
  for (const template of given.length > 0 ? given : usualHeaders) {
    if (found.length > 0 && !all) return found
    const request = presentToken({ path: 'sync', query: [['limit', '1']] }, token, { kind: 'header', template })
    try {
      const reply = await client.send(request, () => {})
      if (isSyncAnswer(reply)) found.push(template)
    } catch (error) {
      // A server that hangs up on a header form does not take it; one that says nothing would say nothing to the others.
      if (!(error instanceof NoAnswer)) throw error
      if (error.isSilence) return found
    }
  }
  return found
}
