import { findQuota } from '../../accounts/quotas.ts'
import { listSessions } from '../../accounts/sessions.ts'
import { listWebhooks } from '../../delivery/webhooks.ts'
import { Head } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRoute } from '../page.ts'
import { When } from '../show-time.tsx'
import { UsageFacts } from '../show-usage.tsx'

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** `/account`: what there is, at a glance. */
export const accountPage: PageRoute = {
  path: '/account',
  get: forSignedIn(async ({ site, signedIn }, { store, world, quotas }) => {
    const { userId, userName } = signedIn
    const [sessions, mine, view, user] = await Promise.all([
      listSessions(store, userId, world),
      store.registry.listAppsOf(userId),
      store.read(userId),
      store.registry.findUser(userId),
    ])
    const has = { ...(await view.countUsage()), hooks: (await listWebhooks(view)).length }
    const ofKind = (kind: string) => sessions.filter((session) => session.kind === kind)
    const used = new Set(ofKind('app').map(({ clientId }) => clientId))
    const tiles = [
      [
        '/account/sessions',
        'Sessions and devices',
        count(sessions.length, 'way in', 'ways in'),
        'End what you do not know.',
      ],
      [
        '/account/apps',
        'Apps',
        `${count(used.size, 'app', 'apps')} in use, ${mine.length} registered by you`,
        'Client id and secret for your own.',
      ],
      [
        '/account/tokens',
        'Access tokens',
        count(ofKind('token').length, 'token', 'tokens'),
        'For scripts, without an app.',
      ],
      ['/account/delivery', 'Webhooks and push', 'Who is told of changes', 'Addresses and devices.'],
      ['/account/password', 'Password', 'Change it here', 'Signs everything else out.'],
    ] as const
    return {
      title: 'Account',
      content: (
        <>
          <Head title={userName}>What is kept for you here, and who can get at it.</Head>
          <section class="sheet" aria-labelledby="facts">
            <h2 id="facts">Your things</h2>
            <dl class="facts">
              <UsageFacts has={has} quota={findQuota(user, quotas)} />
              {user !== undefined && (
                <div>
                  <dt>Account made</dt>
                  <dd>
                    <When seconds={user.createdAt} now={world.now()} />
                  </dd>
                </div>
              )}
              <div>
                <dt>Address for apps</dt>
                <dd>
                  <code>{site.baseUrl}</code>
                </dd>
              </div>
            </dl>
            <div class="buttons">
              <a class="button" href={site.href('/account/export')}>
                Download everything as JSON
              </a>
            </div>
          </section>
          <ul class="tiles">
            {tiles.map(([path, name, number, sentence]) => (
              <li key={path}>
                <a class="tile" href={site.href(path)}>
                  <strong>{name}</strong>
                  {number}
                  <span>{sentence}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      ),
    }
  }),
}
