import type { QuotaForAll } from '../../accounts/quotas.ts'
import { type Store, StoreError } from '../../store/store.ts'
import { formatBytes } from '../account/account-page.tsx'
import { Notice, PageHeader, PageList } from '../components.tsx'
import type { AboutServer, PageRoute } from '../page.ts'
import { forAdmin } from '../signed-in.ts'

/** `/admin`: links to the admin pages. */
export const adminPage: PageRoute = {
  path: '/admin',
  get: forAdmin(async ({ site }, { store, about, quotas }) => {
    const [users, apps, isWritable] = await Promise.all([
      store.registry.listUsers(),
      store.registry.listApps(),
      takesWrites(store),
    ])
    const disabled = users.filter(({ disabledAt }) => disabledAt !== undefined).length
    const pages = [
      [
        '/admin/store',
        'Server',
        `${isWritable ? 'Working normally' : 'Cannot save changes now'}. Version ${about.version}`,
      ],
      [
        '/admin/users',
        'Users',
        `${users.length.toLocaleString('en')} in all${disabled === 0 ? '' : `, ${disabled} disabled`}. Registration is ${about.isRegistrationOpen ? 'open' : 'closed'}`,
      ],
      ['/admin/apps', 'Apps', `${apps.length.toLocaleString('en')} registered`],
      ['/admin/limits', 'Limits', describeQuota(quotas)],
    ] as const
    return {
      title: 'Admin',
      content: (
        <>
          <PageHeader title="Admin">
            Manage this server. You can also use the command line: <code>thingsync --help</code>
          </PageHeader>
          <section class="sheet" aria-label="Admin">
            <PageList site={site} pages={pages} />
          </section>
        </>
      ),
    }
  }),
}

const describeQuota = ({ things, bytes }: QuotaForAll): string => {
  const parts = [
    ...(things === null ? [] : [`${things.toLocaleString('en')} items`]),
    ...(bytes === null ? [] : [formatBytes(bytes)]),
  ]
  return parts.length === 0 ? 'No quota for users' : `${parts.join(' and ')} for each user`
}

const LimitFacts = ({ limits }: Pick<AboutServer, 'limits'>) => (
  <dl class="facts">
    {limits.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <strong>{value}</strong> <span class="soft">{/^[a-z_]+$/.test(note) ? <code>{note}</code> : note}</span>
        </dd>
      </div>
    ))}
  </dl>
)

/** `/admin/limits`: shows the limits. They are settings of the server, so this page cannot change them. */
export const limitsPage: PageRoute = {
  path: '/admin/limits',
  get: forAdmin(({ site }, { about }) => ({
    title: 'Limits',
    content: (
      <>
        <PageHeader title="Limits" back={{ href: site.href('/admin'), name: 'Admin' }}>
          To change a limit, change its setting and restart the server. <code>thingsync config</code> shows all
          settings.
        </PageHeader>
        <section class="sheet" aria-labelledby="quota">
          <h2 id="quota">Quota of each user</h2>
          <p class="soft">On the page of a user, you can set another quota.</p>
          <LimitFacts limits={about.limits.filter(({ isQuota }) => isQuota === true)} />
        </section>
        <section class="sheet" aria-labelledby="protection">
          <h2 id="protection">Protection of the server</h2>
          <LimitFacts limits={about.limits.filter(({ isQuota }) => isQuota !== true)} />
        </section>
      </>
    ),
  })),
}

const takesWrites = async (store: Store): Promise<boolean> => {
  try {
    await store.check()
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}

/** `/admin/store`: shows whether the server can write, and the size of the registry. */
export const storePage: PageRoute = {
  path: '/admin/store',
  get: forAdmin(async ({ site }, { store, about }) => {
    const { registry } = store
    const [isWritable, users, apps, invitations] = await Promise.all([
      takesWrites(store),
      registry.listUsers(),
      registry.listApps(),
      registry.listInvitations(),
    ])
    const ofAll = async <Item,>(list: (userId: string) => Promise<readonly Item[]>): Promise<readonly Item[]> =>
      (await Promise.all(users.map(({ id }) => list(id)))).flat()
    const [sessions, browsers, links] = [
      await ofAll(registry.listSessions),
      await ofAll(registry.listBrowserSessions),
      [...invitations, ...(await ofAll(registry.listLinks))],
    ]
    const rows = [
      ['Users', users.length],
      ['Apps', apps.length],
      ['Sessions of apps', sessions.filter(({ personal }) => personal === undefined).length],
      ['Personal access tokens', sessions.filter(({ personal }) => personal !== undefined).length],
      ['Browsers signed in', browsers.length],
      ['Unused one-time links', links.length],
    ] as const
    return {
      title: 'Server',
      content: (
        <>
          <PageHeader title="Server" back={{ href: site.href('/admin'), name: 'Admin' }} />
          <Notice kind={isWritable ? 'good' : 'bad'}>
            {isWritable
              ? 'The server works normally. This page has just checked that it can save changes.'
              : 'The server cannot save changes now. Check whether the disk is full. The server log has the error.'}
          </Notice>
          <section class="sheet" aria-label="Figures">
            <dl class="facts short">
              {rows.map(([name, number]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{number.toLocaleString('en')}</dd>
                </div>
              ))}
              <div>
                <dt>Version</dt>
                <dd>
                  thingsync {about.version}, Node {process.versions.node}
                </dd>
              </div>
            </dl>
            <p class="soft">
              “thingsync stats” counts items and bytes, “thingsync verify” checks every file, and “thingsync backup”
              takes a copy while the server runs.
            </p>
          </section>
        </>
      ),
    }
  }),
}
