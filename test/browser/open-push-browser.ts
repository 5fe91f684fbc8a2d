import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type BrowserContext, chromium } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium } from '../support/find-chromium.ts'
import { chromiumFlags } from '../support/launch-chromium.ts'
import { openServerAsReceiver } from '../support/outbound-receiver.ts'
import { createTemporaryFolder } from '../support/run-cli.ts'
import { watchComplaints } from './open-page.ts'

/** A browser of its own that can subscribe to push messages. */
export interface PushBrowser {
  readonly context: BrowserContext
  /** The subscriptions that it requested: the page's origin, and the key of the server as base64url. */
  readonly requested: readonly { readonly origin: string; readonly key: string }[]
}

/** `stats_ok`, `android_id` and `security_token` of an AndroidCheckinResponse, as protocol buffers. */
const checkedIn = Buffer.from('0801390102030405060708410807060504030201', 'hex')

/**
 * Where Chromium registers at its maker's push service, played here: the outside is out of reach in tests. It is its
 * check-in and its registration, so that a subscription comes into being; it delivers nothing.
 */
const openRegistry = async () => {
  const requested: { origin: string; key: string }[] = []
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams(await text(request))
    if (request.url === '/check-in') return response.end(checkedIn)
    // What pages subscribe is a sub-type `wp:<origin>/#<id>`; Chromium also registers itself.
    const origin = /^wp:(.+)\/#/.exec(decodeURIComponent(fields.get('X-subtype') ?? ''))?.[1]
    if (origin !== undefined) requested.push({ origin, key: fields.get('sender') ?? '' })
    return response.end('token=of-the-test')
  })
  return { requested, address: `http://127.0.0.1:${(await openServerAsReceiver(server)).port}` }
}

/**
 * Opens a browser with a profile of its own. The one that all tests share gives each test a private window, and those
 * reject every subscription (crbug.com/41124656). It is closed when the test is finished, which fails if it complained.
 */
export const openPushBrowser = async (): Promise<PushBrowser> => {
  const { requested, address } = await openRegistry()
  const executablePath = findChromium(process.env.CHROMIUM)
  if (executablePath === undefined) throw new Error('Chromium went away')
  const context = await chromium.launchPersistentContext(await createTemporaryFolder(), {
    executablePath,
    args: [
      ...chromiumFlags,
      `--gcm-checkin-url=${address}/check-in`,
      `--gcm-registration-url=${address}/register`,
      // The same on machines that do reach the outside.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
  context.setDefaultTimeout(60_000)
  const expectNone = watchComplaints(context)
  onTestFinished(async () => {
    await context.close()
    expectNone()
  })
  return { context, requested }
}
