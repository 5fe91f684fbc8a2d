import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { paths } from '../../generated/types.ts'
import { throwAsNetwork } from './client-error.ts'
import { toForm } from './to-form.ts'

/** openapi-fetch, typed from the document; bodies are sent as forms. */
export type Api = FetchClient<paths>

/**
 * What carries out a request; the global fetch, unless the user of the client gives another. The signal is the request's
 * once more: Node's fetch hears it only as long as somebody holds the Request, and this one to the end.
 */
export type Send = (request: Request, init?: SendInit) => Promise<Response>

/** What `fetch` is told besides the request. */
export interface SendInit {
  readonly signal?: AbortSignal
}

/** An api at this base address; no answer at all is thrown as ClientError `network`. */
export const createApi = (baseUrl: string, send: Send): Api =>
  createFetchClient<paths>({
    baseUrl,
    fetch: (request) => send(request).catch(throwAsNetwork),
    bodySerializer: (body: unknown) => toForm(body ?? {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
