import type { ComponentChildren } from 'preact'
import { findQuota, type QuotaForAll } from '../../accounts/quotas.ts'
import { listSessions } from '../../accounts/session-management.ts'
import { isOfSession, listDevices } from '../../delivery/devices.ts'
import { findMaxWebhooks, listWebhooks } from '../../delivery/webhooks.ts'
import { renderRuns, renderTags } from '../../operations/things.ts'
import type { User } from '../../store/registry/registry.ts'
import { PageHeader, RelativeTime } from '../components.tsx'
import type { Download, PageRoute, PageTools } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'
import { SignOutOthers } from './sessions-page.tsx'

/** A fact about the account, and the action that belongs to it. */
const Fact = ({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: ComponentChildren
  readonly children?: ComponentChildren
}) => (
  <li>
    <div class="what">
      <strong>{name}</strong>
      <span>{value}</span>
    </div>
    {children !== undefined && <div class="acts">{children}</div>}
  </li>
)

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** Joins counts, without those of zero. */
const nameCounts = (...counts: readonly string[]): string =>
  counts.filter((text) => !text.startsWith('0 ')).join(', ') || 'None'

/** `/account`: an overview of the account. */
export const accountPage: PageRoute = {
  path: '/account',
  get: forSignedIn(async (request, { store, environment, quotas }) => {
    const { site } = request
    const { userId, userName } = request.signedIn
    const [sessions, mine, view, user] = await Promise.all([
      listSessions(store, userId, environment),
      store.registry.listAppsOf(userId),
      store.read(userId),
      store.registry.findUser(userId),
    ])
    const has = { ...(await view.countUsage()), hooks: (await listWebhooks(view)).length }
    const quota = findQuota(user, quotas)
    const ofKind = (kind: string) => sessions.filter((session) => session.kind === kind)
    const used = new Set(ofKind('app').map(({ clientId }) => clientId))
    const devices = (await listDevices(view)).filter(isOfSession(new Set(sessions.map(({ id }) => id))))
    return {
      title: 'Account',
      content: (
        <>
          <PageHeader title="Account">
            Signed in as{' '}
            <strong>
              <bdi>{userName}</bdi>
            </strong>
            .
          </PageHeader>
          <section class="sheet" aria-label="Account">
            <ul class="rows brief">
              <Fact
                name="Storage"
                value={`${describeItems(has.things, quota.things)}, ${describeBytes(has.bytes, quota.bytes)}`}
              >
                <a class="button" href={site.href('/account/export')}>
                  Download as JSON
                </a>
              </Fact>
              <Fact name="Sessions" value={`${formatCount(sessions.length)} signed in`}>
                {sessions.length > 1 ? <SignOutOthers request={request} others={sessions.length - 1} /> : undefined}
              </Fact>
              <Fact
                name="Access"
                value={nameCounts(
                  count(used.size, 'app', 'apps'),
                  count(ofKind('token').length, 'token', 'tokens'),
                  count(mine.length, 'app of your own', 'apps of your own'),
                  count(has.hooks, 'webhook', 'webhooks'),
                  count(devices.length, 'device', 'devices'),
                )}
              >
                <a class="button" href={site.href('/account/tokens#new')}>
                  Create a token
                </a>
              </Fact>
            </ul>
            <details class="more">
              <summary>Details</summary>
              <dl class="facts short">
                <UsageFacts has={has} quota={quota} />
                {user !== undefined && (
                  <div>
                    <dt>Account created</dt>
                    <dd>
                      <RelativeTime seconds={user.createdAt} now={environment.now()} />
                    </dd>
                  </div>
                )}
                <div>
                  <dt>Base URL for apps</dt>
                  <dd>
                    <code>{site.baseUrl}</code>
                  </dd>
                </div>
              </dl>
            </details>
          </section>
        </>
      ),
    }
  }),
}

const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** Formats a number of bytes for users: `3.4 KB`, of 1000 bytes each. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0 })} ${units[power]}`
}

const describeItems = (has: number, max: number | null): string =>
  max === null ? count(has, 'item', 'items') : `${formatCount(has)} of ${count(max, 'item', 'items')}`

const describeBytes = (has: number, max: number | null): string =>
  max === null ? formatBytes(has) : `${formatBytes(has)} of ${formatBytes(max)}`

const formatCount = (number: number): string => number.toLocaleString('en')

const Amount = ({
  has,
  max,
  format = formatCount,
}: {
  readonly has: number
  readonly max: number | null
  readonly format?: (amount: number) => string
}) => (
  <>
    {format(has)}
    {max !== null && <span class="soft"> of {format(max)}</span>}
  </>
)

/** The usage and the quotas of an account, as rows of a list of facts. */
export const UsageFacts = ({
  has,
  quota,
}: {
  readonly has: { readonly things: number; readonly bytes: number; readonly tags: number; readonly hooks: number }
  readonly quota: QuotaForAll
}) => (
  <>
    <div>
      <dt>Items</dt>
      <dd>
        <Amount has={has.things} max={quota.things} />
      </dd>
    </div>
    <div>
      <dt>Size of items and tags</dt>
      <dd>
        <Amount has={has.bytes} max={quota.bytes} format={formatBytes} />
      </dd>
    </div>
    <div>
      <dt>Tags with settings</dt>
      <dd>
        <Amount has={has.tags} max={quota.tags} />
      </dd>
    </div>
    <div>
      <dt>Webhooks</dt>
      <dd>
        <Amount has={has.hooks} max={findMaxWebhooks(quota.hooks)} />
      </dd>
    </div>
  </>
)

/** `/account/export`: downloads the user's own things. */
export const exportPage: PageRoute = {
  path: '/account/export',
  get: forSignedIn(async ({ signedIn }, tools) => {
    const user = await tools.store.registry.findUser(signedIn.userId)
    if (user === undefined) throw new PageError('unknown')
    return exportAccount(tools, user)
  }),
}

/**
 * Builds an export: all data of a user, as one JSON document in the shapes of the interface. It contains the things of
 * a full sync (2.1), with archived ones, and the settings of tags (2.2). It has no secrets, shows one moment, and is
 * streamed.
 */
export const exportAccount = async (
  { store, environment }: PageTools,
  { id, name, createdAt }: User,
): Promise<Download> => {
  const view = await store.read(id)
  const [listing, tags = {}] = await Promise.all([view.list({ after: 0 }), renderTags(view.listTags(0))])
  const document = {
    format: 'thingsync account',
    version: 1,
    exported: Math.floor(environment.now() / 1000),
    username: name,
    date: createdAt,
    pos: view.position,
    tags,
    things: renderRuns(listing.changed()),
  }
  // A user name may contain characters that are unsafe in a file name.
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '')
  return { download: `thingsync-${plain === '' ? 'account' : plain}.json`, document }
}
