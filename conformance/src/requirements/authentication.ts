import { requirementsOf } from '../rule.ts'

/** Section 5: authentication, without the authorization code flow. */
export const authenticationRequirements = [
  ...requirementsOf('5', [
    {
      id: 'K-error-6',
      basis: 'extension',
      text: 'The token endpoint answers with the codes of RFC 6749 5.2: 400, and 401 for `invalid_client`.',
    },
  ]),
  ...requirementsOf('5.1', [
    {
      id: 'C-5.1-1',
      text: 'The password grant with `client_id`, `client_secret`, `username` and `password` issues tokens.',
    },
    {
      id: 'C-5.1-2',
      text: 'The refresh_token grant takes the `request_token` of an earlier answer as `refresh_token` and issues tokens.',
    },
    { id: 'C-5.1-3', text: 'A grant with a wrong username, password, client or refresh token issues none.' },
    {
      id: 'C-5.1-4',
      level: 'should',
      text: 'The web redirect flow is a third way to tokens.',
      untested: 'Its parameters are not shown.',
    },
    { id: 'K-grant-1', basis: 'extension', text: 'Client credentials may come by HTTP Basic.' },
  ]),
  ...requirementsOf('5.2', [
    { id: 'C-5.2-1', text: 'The token answer has `access_token` as a string that opens sync.' },
    { id: 'C-5.2-2', text: '`expires_in` is a number of seconds above 0.' },
    { id: 'C-5.2-3', text: 'The second token is in the field `request_token`.' },
    { id: 'C-5.2-4', text: '`token_type` is "bearer".' },
    { id: 'C-5.2-5', text: '`scope` is null.' },
    { id: 'C-5.2-6', text: 'Each grant issues a new pair of tokens.' },
    {
      id: 'K-grant-2',
      basis: 'observed',
      text: 'The token answer also has `refresh_token` with the value of `request_token`, `expires_in` 3600, and `Cache-Control: no-store`.',
    },
    {
      id: 'K-grant-3',
      basis: 'extension',
      text: 'A refresh can be repeated until the new pair is first used; after that the old request token ends the session.',
    },
    { id: 'K-grant-4', basis: 'extension', text: '`revoke` ends the session of a token.' },
    {
      id: 'K-grant-5',
      basis: 'extension',
      text: 'A request token lives 90 days from its last use.',
      untested: 'Nobody waits 90 days for a rule.',
    },
    {
      id: 'K-grant-6',
      basis: 'extension',
      text: 'A new password ends all sessions of the user.',
      untested: 'The suite does not change the password of an account.',
    },
  ]),
  ...requirementsOf('5.3', [
    { id: 'C-5.3-1', text: 'The access token is taken from the `Authorization` header.' },
    { id: 'C-5.3-2', text: 'The access token is taken from the GET parameter `access_token`.' },
    { id: 'C-5.3-3', text: 'The access token is taken from the form parameter `access_token`.' },
    { id: 'C-5.3-4', text: 'An invalid token is refused in the same way on all three.' },
    {
      id: 'C-5.3-5',
      level: 'should',
      text: 'The token is given in exactly one way.',
      untested: 'The sender is bound; what a server does otherwise is not shown (K-token-2 for the profile full).',
    },
    {
      id: 'K-token-1',
      basis: 'observed',
      text: 'The header takes `Bearer T`, `OAuth T`, `Token T` and `name=T`, with or without one of these words and double quotes.',
    },
    {
      id: 'K-token-2',
      basis: 'extension',
      text: 'Different tokens given in more than one way are 400 `invalid_request`; the same token twice is taken.',
    },
    {
      id: 'K-token-3',
      basis: 'extension',
      text: 'No token is 401 `invalid_request`; an invalid one is 401 `invalid_grant`; both carry `WWW-Authenticate`.',
    },
    {
      id: 'K-token-4',
      basis: 'extension',
      text: 'A token in header or query is judged before the body, and any token before the parameters of a known operation.',
    },
    {
      id: 'K-token-5',
      basis: 'extension',
      text: 'Tokens and codes are kept as hashes only, and a failed store is 503, never 401.',
      untested: 'Cannot be seen from outside.',
    },
    {
      id: 'K-token-6',
      basis: 'extension',
      text: 'A JSON body may have 64 KiB where no valid token came in header or query.',
    },
    {
      id: 'K-token-7',
      basis: 'extension',
      text: 'A personal access token that may only read gets 403 `insufficient_scope` for what changes something.',
      untested: 'Such tokens are made by hand; the suite has none.',
    },
  ]),
]

/** Section 5.1: the authorization code flow with PKCE. */
export const codeFlowRequirements = requirementsOf('5.1', [
  {
    id: 'K-web-1',
    basis: 'extension',
    text: '`/authorize`, beside the version segment, takes `response_type=code`, `client_id`, `redirect_uri`, `state`, `code_challenge` and `code_challenge_method=S256`, and works without scripts.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-2',
    basis: 'extension',
    text: 'The person signs in, sees which app asks, who registered it, what it may do and where the browser goes next, and allows or denies it.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-3',
    basis: 'extension',
    text: 'The way back is a 303 with `code`, `state` as it was given and `iss`; a denial is `error=access_denied`.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-4',
    basis: 'extension',
    text: 'An unknown app or redirect address is a page with status 400 and no redirect; other wrong parameters go back to the app as `invalid_request` or `unsupported_response_type`.',
  },
  {
    id: 'K-web-5',
    basis: 'extension',
    text: '`redirect_uri` is exactly one that the app registered; only the port of a loopback address may differ, and it may be left out when there is one only.',
  },
  {
    id: 'K-web-6',
    basis: 'extension',
    text: 'A code works once, for 60 seconds, for the app, the redirect address and the challenge that it was made for; a second use ends the session that the first began.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-7',
    basis: 'extension',
    text: 'Public apps must send a challenge, S256 only; what began with a challenge ends with its verifier.',
  },
  {
    id: 'K-web-8',
    basis: 'extension',
    text: 'The authorization_code grant takes `code`, `redirect_uri`, `client_id` and `client_secret` or `code_verifier`, and refuses a wrong code as `invalid_grant`.',
  },
  {
    id: 'K-web-9',
    basis: 'observed',
    text: 'A `redirect_uri` at the token endpoint may be followed by the `code` and `state` that the server appended.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-10',
    basis: 'extension',
    text: 'An app that is registered with standard fields gets no `scope: null` in its token answer.',
    untested: 'It needs an app that was registered so.',
  },
  {
    id: 'K-web-11',
    basis: 'extension',
    text: '`/.well-known/oauth-authorization-server` describes the endpoints (RFC 8414).',
  },
  {
    id: 'K-web-12',
    basis: 'extension',
    text: 'The password grant and tokens in the query may be turned off.',
    untested: 'A matter of settings.',
  },
])
