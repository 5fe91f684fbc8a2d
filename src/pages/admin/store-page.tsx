import { type Store, StoreFailed } from '../../store/store.ts'
import { Head, Note } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import type { PageRoute } from '../page.ts'

const takesWrites = async (store: Store): Promise<boolean> => {
  try {
    await store.check()
    return true
  } catch (error) {
    if (error instanceof StoreFailed) return false
    throw error
  }
}

/** `/admin/store`: whether the data can be kept, and how much the registry holds. */
export const storePage: PageRoute = {
  path: '/admin/store',
  get: forAdmin(async (_request, { store, about }) => {
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
      ['One-time links not used', links.length],
    ] as const
    return {
      title: 'Store',
      content: (
        <>
          <Head title="Store">What keeps the data, as it answers now.</Head>
          <Note kind={isWritable ? 'good' : 'bad'}>
            {isWritable
              ? 'It takes writes; that was tried for this page.'
              : 'It takes no writes now. Is the disk full? The log of the server says what failed.'}
          </Note>
          <section class="sheet" aria-label="Figures">
            <dl class="facts">
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
              “thingsync stats” counts things and bytes, “thingsync verify” checks every file, and “thingsync backup”
              takes a copy while the server runs.
            </p>
          </section>
        </>
      ),
    }
  }),
}
