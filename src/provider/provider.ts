/** How an OpenID provider is asked. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** What the button on the sign-in page calls it. */
  readonly name: string
  /** The claim that is the user name here. */
  readonly userClaim: 'preferred_username' | 'email'
}

/** Who came back from the provider, and where the person was going. */
export interface ProviderSignIn {
  readonly name: string
  /** Issuer and subject, together. */
  readonly subject: string
  /** A path of ours. */
  readonly next: string
}

/** Signs people in at an OpenID provider: the authorization code flow with PKCE, state and nonce. */
export interface Provider {
  readonly name: string
  /** Where to send a browser that has this secret. @throws ProviderFailed */
  readonly begin: (browser: string, next: string, redirectUri: string) => Promise<string>
  /** Judges what the browser came back with to `redirectUri`, where it was sent to begin with. @throws ProviderFailed */
  readonly finish: (
    browser: string | undefined,
    query: ReadonlyMap<string, string>,
    redirectUri: string,
  ) => Promise<ProviderSignIn>
  /** Where the person is signed out there, too; undefined when the provider has no such address, or does not answer. */
  readonly findSignOut: (backTo: string) => Promise<string | undefined>
}

/** Why nobody was signed in. */
export type ProviderFault = 'unreachable' | 'notBegun' | 'denied' | 'strange' | 'noName' | 'notVerified'

/** Thrown when a provider signs nobody in; the cause is for the log. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, cause?: unknown) {
    super(`sign-in by the provider: ${fault}`, { cause })
    this.fault = fault
  }
}
