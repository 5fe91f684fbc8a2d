import type { Logger } from 'pino'
import { document } from '../../generated/document.ts'
import { type Attempts, defaultAttemptLimits } from '../accounts/attempts.ts'
import type { QuotaForAll } from '../accounts/quotas.ts'
import { createRegistrations } from '../accounts/registrations.ts'
import type { Limits } from '../api/limits.ts'
import { limitWebhooks } from '../delivery/webhooks.ts'
import { allPages } from '../pages/all-pages.ts'
import { createPages } from '../pages/answer-page.ts'
import { findSignedIn } from '../pages/find-signed-in.ts'
import type { AboutServer } from '../pages/page.ts'
import { readPageStyle } from '../pages/read-style.ts'
import { createShownOnce } from '../pages/shown-once.ts'
import type { Provider } from '../provider/provider.ts'
import { readVersion } from '../read-version.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'

/** What the pages of a server are made of. */
export interface PagesOptions {
  readonly store: Store
  readonly world: World
  readonly attempts: Attempts
  readonly log: Logger
  readonly limits: Limits
  readonly quotas: QuotaForAll
  readonly isRegistrationOpen: boolean
  readonly provider: Provider | undefined
  readonly mayCreateAccounts: boolean
}

const MiB = 1024 * 1024
const showBytes = (bytes: number): string =>
  bytes >= MiB ? `${Math.round((10 * bytes) / MiB) / 10} MiB` : `${Math.round(bytes / 1024)} KiB`
const showCount = (count: number): string => count.toLocaleString('en')

const showQuota = (most: number | null, show = showCount): string => (most === null ? 'any number' : show(most))

const describeLimits = (limits: Limits, quotas: QuotaForAll): AboutServer['limits'] => [
  { name: 'A request', value: showBytes(limits.maxBodyBytes), note: 'max_body_bytes' },
  { name: 'Fields of a form', value: showCount(limits.formFields), note: 'of the API' },
  {
    name: 'Requests of one user under way',
    value: showBytes(limits.userBytes),
    note: 'four requests of the largest size',
  },
  { name: 'Of strangers under way', value: showBytes(limits.unknownBytes), note: 'of all who have shown no token yet' },
  { name: 'Of one strange address', value: showBytes(limits.unknownBytesPerAddress), note: 'the same, from one place' },
  {
    name: 'A form of these pages',
    value: showBytes(limits.grantBodyBytes),
    note: `with ${limits.grantFields} fields at most`,
  },
  {
    name: 'Wrong passwords',
    value: `${defaultAttemptLimits.perPair} in ${defaultAttemptLimits.windowSeconds / 60} minutes`,
    note: 'for one account from one address; others go on',
  },
  {
    name: 'Wrong secrets and links',
    value: `${defaultAttemptLimits.perAddress} in ${defaultAttemptLimits.windowSeconds / 60} minutes`,
    note: 'from one address',
  },
  { name: 'Things of a user', value: showQuota(quotas.things), note: 'quota_things, where a person has no other' },
  { name: 'Bytes of these and of tags', value: showQuota(quotas.bytes, showBytes), note: 'quota_bytes, the same' },
  { name: 'Tags with settings', value: showQuota(quotas.tags), note: 'quota_tags, the same' },
  { name: 'Webhooks of a user', value: showCount(limitWebhooks(quotas.hooks)), note: 'quota_hooks, the same' },
]

/** The pages of a server, ready to answer. */
export const openPages = async ({ limits, isRegistrationOpen, ...tools }: PagesOptions) => {
  const { store, world } = tools
  return createPages({
    routes: allPages,
    style: await readPageStyle(),
    tools: {
      ...tools,
      shownOnce: createShownOnce(world.now),
      registrations: createRegistrations(store.shared),
      about: {
        version: readVersion(),
        contractVersion: document.info.version,
        isRegistrationOpen,
        limits: describeLimits(limits, tools.quotas),
      },
    },
    findSignedIn: (secret) => findSignedIn(store, secret, world),
  })
}
