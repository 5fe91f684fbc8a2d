import { clausesOf } from './clause.ts'

/** Section 5.1: the web flow, the third way to tokens. */
export const webFlowClauses = clausesOf('5.1', [
  {
    id: 'K-web-1',
    basis: 'ours',
    text: '`/authorize`, beside the version segment, takes `response_type=code`, `client_id`, `redirect_uri`, `state`, `code_challenge` and `code_challenge_method=S256`, and works without scripts.',
    untested: 'It needs a person at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-2',
    basis: 'ours',
    text: 'The person signs in, sees which app asks, who registered it, what it may do and where the browser goes next, and allows or denies it.',
    untested: 'It needs a person at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-3',
    basis: 'ours',
    text: 'The way back is a 303 with `code`, `state` as it was given and `iss`; a denial is `error=access_denied`.',
    untested: 'It needs a person at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-4',
    basis: 'ours',
    text: 'An unknown app or redirect address is a page with status 400 and no redirect; other wrong parameters go back to the app as `invalid_request` or `unsupported_response_type`.',
  },
  {
    id: 'K-web-5',
    basis: 'ours',
    text: '`redirect_uri` is exactly one that the app registered; only the port of a loopback address may differ, and it may be left out when there is one only.',
  },
  {
    id: 'K-web-6',
    basis: 'ours',
    text: 'A code works once, for 60 seconds, for the app, the redirect address and the challenge that it was made for; a second use ends the session that the first began.',
    untested: 'It needs a person at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-7',
    basis: 'ours',
    text: 'Public apps must send a challenge, S256 only; what began with a challenge ends with its verifier.',
  },
  {
    id: 'K-web-8',
    basis: 'ours',
    text: 'The authorization_code grant takes `code`, `redirect_uri`, `client_id` and `client_secret` or `code_verifier`, and refuses a wrong code as `invalid_grant`.',
  },
  {
    id: 'K-web-9',
    basis: 'observed',
    text: 'A `redirect_uri` at the token endpoint may be followed by the `code` and `state` that the server appended.',
    untested: 'It needs a person at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-10',
    basis: 'ours',
    text: 'An app that is registered with standard fields gets no `scope: null` in its token answer.',
    untested: 'It needs an app that was registered so.',
  },
  {
    id: 'K-web-11',
    basis: 'ours',
    text: '`/.well-known/oauth-authorization-server` describes the endpoints (RFC 8414).',
  },
  {
    id: 'K-web-12',
    basis: 'ours',
    text: 'The password grant and tokens in the query may be turned off.',
    untested: 'A matter of settings.',
  },
])
