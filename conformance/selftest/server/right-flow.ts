import { Refusal } from './refusal.ts'
import type { Exchange, Reply } from './right-requests.ts'
import type { Json } from './world.ts'

const page = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Authorize</title>',
})

/** The web flow, as far as it is seen without a browser (contract, the web flow). */
export const rightFlow = {
  /** What the metadata says (RFC 8414). */
  metadata: (server: string): Json => ({
    issuer: server,
    authorization_endpoint: `${server}/authorize`,
    token_endpoint: `${server}/v1/token`,
    revocation_endpoint: `${server}/v1/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
    code_challenge_methods_supported: ['S256'],
  }),
  /** What is answered for an app, and for a redirect address, that is not registered; none is, here. */
  authorizeUnknown: (_what: 'app' | 'redirect', _redirect: string): Reply => page(400),
  /** What a code that was never issued gets. */
  codeGranted: (_exchange: Exchange): Reply => {
    throw new Refusal('grant-refused', 'the code is invalid')
  },
}

/** A page that leads to an address, for servers that are wrong. */
export const leadTo = (address: string): Reply => page(303, { location: address })

/** A page that asks whatever it was asked, for servers that are wrong. */
export const askAnyway = (): Reply => page(200)
