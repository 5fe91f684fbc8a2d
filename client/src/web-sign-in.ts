import { ClientError } from './client-error.ts'

/** A sign-in that was sent to the server's page: keep it until the browser comes back, and let nobody else see it. */
export interface WebSignIn {
  /** Where the person has to be sent now. */
  readonly address: string
  readonly redirectUri: string
  /** Comes back with the answer, and tells it from what was never asked. */
  readonly state: string
  /** Proves that who brings the code is who asked for it (RFC 7636). */
  readonly verifier: string
}

/** What the sign-in is for. */
export interface WebSignInOptions {
  /** The base address with the version segment, as `https://things.example/v1/`. */
  readonly baseUrl: string
  readonly clientId: string
  /** One that is registered for the application, to the letter. */
  readonly redirectUri: string
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const makeSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** The server of a base address: without the version segment. */
const serverOf = (baseUrl: string): string => baseUrl.replace(/\/v1\/?$/, '')

/**
 * Begins a sign-in on the server's own page (interface 5, the web flow), so that the application sees no password: send the
 * person to `address`, and give what comes back to `finishWebSignIn` of a client. Needs Web Crypto, which browsers offer
 * over https and on `localhost` only.
 */
export const beginWebSignIn = async ({ baseUrl, clientId, redirectUri }: WebSignInOptions): Promise<WebSignIn> => {
  const [state, verifier] = [makeSecret(), makeSecret()]
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: toBase64Url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  })
  return { address: `${serverOf(baseUrl)}/authorize?${query}`, redirectUri, state, verifier }
}

/**
 * The code in the address that the browser came back to.
 * @throws ClientError `refused` with the server's `error` (`access_denied` when the person said no), `unexpected_answer` for
 * an address that is no answer to this sign-in
 */
export const readWebSignInCode = (baseUrl: string, { state }: WebSignIn, arrivedAt: string): string => {
  const { searchParams } = new URL(arrivedAt)
  const issuer = searchParams.get('iss')
  if (searchParams.get('state') !== state || (issuer !== null && issuer !== serverOf(baseUrl))) {
    throw new ClientError('unexpected_answer', 'this is no answer to the sign-in that was begun')
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const description = searchParams.get('error_description') ?? ''
    throw new ClientError('refused', `${error}: ${description}`, { error, description })
  }
  const code = searchParams.get('code')
  if (code === null) throw new ClientError('unexpected_answer', 'the answer to the sign-in has no code')
  return code
}
