import { requirementsOf } from '../rule.ts'

/** Section 5: authentication, without the authorization code flow. */
export const authenticationRequirements = [
  ...requirementsOf('5', [
    {
      id: 'K-error-6',
      basis: 'extension',
      text: 'The token endpoint MUST respond with the codes of RFC 6749 section 5.2: 400, and 401 for `invalid_client`.',
    },
  ]),
  ...requirementsOf('5.1', [
    {
      id: 'C-5.1-1',
      text: 'The password grant with `client_id`, `client_secret`, `username` and `password` MUST issue tokens.',
    },
    {
      id: 'C-5.1-2',
      text: 'The refresh_token grant MUST take the `request_token` of an earlier response as `refresh_token`, and MUST issue tokens.',
    },
    { id: 'C-5.1-3', text: 'A grant with a wrong username, password, client or refresh token MUST NOT issue tokens.' },
    {
      id: 'C-5.1-4',
      level: 'should',
      text: 'A server SHOULD offer the web redirect flow as a third way to obtain tokens.',
      untested: 'Its parameters are not shown.',
    },
    { id: 'K-grant-1', basis: 'extension', text: 'A server MUST accept client credentials by HTTP Basic.' },
  ]),
  ...requirementsOf('5.2', [
    { id: 'C-5.2-1', text: 'The token response MUST have `access_token`, a string that gives access to sync.' },
    { id: 'C-5.2-2', text: '`expires_in` MUST be a number of seconds above 0.' },
    { id: 'C-5.2-3', text: 'The second token MUST be in the field `request_token`.' },
    { id: 'C-5.2-4', text: '`token_type` MUST be "bearer".' },
    { id: 'C-5.2-5', text: '`scope` MUST be null.' },
    { id: 'C-5.2-6', text: 'Each grant MUST issue a new pair of tokens.' },
    {
      id: 'K-grant-2',
      basis: 'observed',
      text: 'The token response MUST also have `refresh_token` with the value of `request_token`, `expires_in` 3600, and `Cache-Control: no-store`.',
    },
    {
      id: 'K-grant-3',
      basis: 'extension',
      text: 'A server MUST accept a repeated refresh until the new pair is first used. After that, the old refresh token MUST end the session.',
    },
    { id: 'K-grant-4', basis: 'extension', text: '`revoke` MUST end the session of a token.' },
    {
      id: 'K-grant-5',
      basis: 'extension',
      text: 'A refresh token MUST live 90 days from its last use.',
      untested: 'No run waits 90 days.',
    },
    {
      id: 'K-grant-6',
      basis: 'extension',
      text: 'A new password MUST end all sessions of the user.',
      untested: 'The suite does not change the password of an account.',
    },
  ]),
  ...requirementsOf('5.3', [
    { id: 'C-5.3-1', text: 'A server MUST accept the access token in the `Authorization` header.' },
    { id: 'C-5.3-2', text: 'A server MUST accept the access token in the GET parameter `access_token`.' },
    { id: 'C-5.3-3', text: 'A server MUST accept the access token in the form parameter `access_token`.' },
    { id: 'C-5.3-4', text: 'A server MUST reject an invalid token in the same way in all three places.' },
    {
      id: 'C-5.3-5',
      level: 'should',
      text: 'A client SHOULD give the token in exactly one way.',
      untested:
        'It binds the client; the interface does not show what a server does otherwise (K-token-2 for the profile full).',
    },
    {
      id: 'K-token-1',
      basis: 'observed',
      text: 'A server MUST accept `Bearer T`, `OAuth T`, `Token T` and `name=T` in the header, with or without one of these words and double quotes.',
    },
    {
      id: 'K-token-2',
      basis: 'extension',
      text: 'Different tokens that are given in more than one way MUST get 400 `invalid_request`. The same token twice MUST be accepted.',
    },
    {
      id: 'K-token-3',
      basis: 'extension',
      text: 'A request without a token MUST get 401 `invalid_request`; an invalid token MUST get 401 `invalid_grant`. Both responses MUST carry `WWW-Authenticate`.',
    },
    {
      id: 'K-token-4',
      basis: 'extension',
      text: 'A server MUST check a token in header or query before the body. It MUST check any token before the parameters of a known operation.',
    },
    {
      id: 'K-token-5',
      basis: 'extension',
      text: 'A server MUST store tokens and codes as hashes only. A failed store MUST get 503, never 401.',
      untested: 'Cannot be seen from outside.',
    },
    {
      id: 'K-token-6',
      basis: 'extension',
      text: 'A JSON body MUST NOT exceed 64 KiB when no valid token came in header or query.',
    },
    {
      id: 'K-token-7',
      basis: 'extension',
      text: 'A read-only personal access token MUST get 403 `insufficient_scope` for a request that changes something.',
      untested: 'A user creates such tokens on a page; the suite has none.',
    },
  ]),
]

/** Section 5.1: the authorization code flow with PKCE. */
export const codeFlowRequirements = requirementsOf('5.1', [
  {
    id: 'K-web-1',
    basis: 'extension',
    text: '`/authorize`, beside the version segment, MUST take `response_type=code`, `client_id`, `redirect_uri`, `state`, `code_challenge` and `code_challenge_method=S256`. It MUST work without scripts.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-2',
    basis: 'extension',
    text: 'The user MUST sign in, and MUST be able to allow or deny the app. The page MUST show which app asks, who registered it, what it may do and where the browser goes next.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-3',
    basis: 'extension',
    text: 'The response MUST be a 303 redirect with `code`, the unchanged `state` and `iss`. A denial MUST be `error=access_denied`.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-4',
    basis: 'extension',
    text: 'An unknown app or redirect URI MUST get a page with status 400 and no redirect. Other wrong parameters MUST go back to the app as `invalid_request` or `unsupported_response_type`.',
  },
  {
    id: 'K-web-5',
    basis: 'extension',
    text: '`redirect_uri` MUST be exactly one that the app registered; only the port of a loopback address MAY differ. It MAY be left out when the app has only one.',
  },
  {
    id: 'K-web-6',
    basis: 'extension',
    text: 'A code MUST work once, for 60 seconds, for the app, the redirect URI and the challenge that it was created for. A second use MUST end the session that the first use began.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-7',
    basis: 'extension',
    text: 'A public client MUST send a challenge, with S256 only. A flow that began with a challenge MUST end with its verifier.',
  },
  {
    id: 'K-web-8',
    basis: 'extension',
    text: 'The authorization_code grant MUST take `code`, `redirect_uri`, `client_id` and `client_secret` or `code_verifier`. It MUST reject a wrong code with `invalid_grant`.',
  },
  {
    id: 'K-web-9',
    basis: 'observed',
    text: 'The token endpoint MUST accept a `redirect_uri` that is followed by the `code` and `state` that the server appended.',
    untested: 'It needs a user at a browser; the tests of this project hold it.',
  },
  {
    id: 'K-web-10',
    basis: 'extension',
    text: 'The token response of an app that is registered with standard fields MUST NOT have `scope: null`.',
    untested: 'It needs an app that is registered with standard fields.',
  },
  {
    id: 'K-web-11',
    basis: 'extension',
    text: '`/.well-known/oauth-authorization-server` MUST describe the endpoints (RFC 8414).',
  },
  {
    id: 'K-web-12',
    basis: 'extension',
    text: 'A server MAY turn off the password grant and tokens in the query.',
    untested: 'It depends on the settings of the server.',
  },
])
