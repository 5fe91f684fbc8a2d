import type { ProviderSettings } from '../provider/provider.ts'
import type { CertificateFiles } from './certificate.ts'
import type { ListenPlace } from './listen.ts'

/** How a server listens and what it allows. */
export interface ServerSettings extends ListenPlace {
  /** The server speaks TLS with this certificate, and with the one that takes its place in the files; on a port only. */
  readonly certificate?: CertificateFiles | undefined
  /** Address that clients use, ending in `/v1/`; by default made of host and port. A Unix socket has none. */
  readonly baseUrl?: string
  readonly maxBodyBytes: number
  /** How long a request may take to arrive, and how long, 2 s more, a client may pause while it reads the answer. */
  readonly requestTimeoutSeconds: number
  readonly corsOrigins: readonly string[]
  /** Everybody may make an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /**
   * Proxies whose X-Forwarded-For is believed: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`. Whoever
   * connects to a Unix socket is one, too.
   */
  readonly trustProxy: readonly string[]
  /** Where webhooks and push notifications may be sent beside the public internet; nowhere by default. */
  readonly deliveryAllow?: readonly string[]
  /** Apps may send user names and passwords to get tokens; true by default. */
  readonly passwordGrant?: boolean
  /** An access token may stand in the address; true by default. */
  readonly queryToken?: boolean
  /** Header in which trusted proxies name the user whom they have signed in; none by default. */
  readonly authHeader?: string | undefined
  /** Whoever a proxy or provider signs in is given an account; false by default. */
  readonly authCreate?: boolean
  /** An OpenID provider that signs people in; none by default. */
  readonly provider?: ProviderSettings | undefined
  /** How much everybody may have; by default any number of things and bytes, 10,000 tags with settings, 20 webhooks. */
  readonly quotaThings?: number | undefined
  readonly quotaBytes?: number | undefined
  readonly quotaTags?: number | undefined
  readonly quotaHooks?: number | undefined
  /** The web app stands at `/`; false by default. */
  readonly web?: boolean
}
