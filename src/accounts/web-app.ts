import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** The client id of the web app, which every server with it knows: a public app like any other. */
export const webAppId = 'thingsync-web'

const loopback = ['http://127.0.0.1', 'http://[::1]', 'http://localhost']

/** Browsers give the web app what it needs (Web Crypto, service workers, locks) only over https and on the own machine. */
export const canRunWebApp = (origin: string): boolean =>
  origin.startsWith('https://') || loopback.includes(origin.replace(/:\d+$/, ''))

/** Where the web app may be, which is where people come back to from the sign-in. */
export interface WebAppPlace {
  /** Scheme, host and port that people use; undefined where nobody has said it. */
  readonly origin: string | undefined
  /** Path prefix without a slash at its end. */
  readonly prefix: string
}

const listRedirectUris = ({ origin, prefix }: WebAppPlace): readonly string[] =>
  (origin === undefined ? loopback : [origin]).filter(canRunWebApp).map((one) => `${one}${prefix}/`)

/**
 * Makes the web app known to the registry, and its redirect addresses those of this place: a server that has moved takes
 * its people along. A registry that knows it so is not written.
 */
export const registerWebApp = async (store: Store, place: WebAppPlace, world: World): Promise<void> => {
  const redirectUris = listRedirectUris(place)
  const known = await store.registry.findApp(webAppId)
  if (known !== undefined && known.redirectUris?.join(' ') === redirectUris.join(' ')) return
  const createdAt = known?.createdAt ?? Math.floor(world.now() / 1000)
  await store.registry.change((registry) =>
    registry.put('apps', { clientId: webAppId, name: 'thingsync in the browser', createdAt, redirectUris }),
  )
}
