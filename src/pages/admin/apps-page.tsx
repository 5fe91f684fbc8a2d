import { isPublicClient, listApps, removeApp } from '../../accounts/apps.ts'
import { Confirm, Notice, PageHeader, Pager, PostForm, RelativeTime, sortByName, takePage } from '../components.tsx'
import type { PageRoute } from '../page.ts'
import { PageError } from '../page-error.tsx'
import { forAdmin } from '../signed-in.ts'

const path = '/admin/apps'

/** `/admin/apps`: all apps of the server. */
export const allAppsPage: PageRoute = {
  path,
  get: forAdmin(async (request, { store, environment }) => {
    const [apps, users] = await Promise.all([listApps(store), store.registry.listUsers()])
    const names = new Map(users.map(({ id, name }) => [id, name]))
    const { rows, page, last } = takePage(sortByName(apps), request.query)
    const now = environment.now()
    return {
      title: 'Apps of the server',
      content: (
        <>
          <PageHeader title="Apps of the server" back={{ href: request.site.href('/admin'), name: 'Admin' }}>
            Every app that may request tokens. Users register their own under Account, Apps.
          </PageHeader>
          {request.query.get('done') === 'removed' && (
            <Notice kind="good">The app is removed and signed out everywhere.</Notice>
          )}
          <section class="sheet" aria-label="Apps">
            {apps.length === 0 && <p class="soft">No apps are registered.</p>}
            <ul class="rows">
              {rows.map((app) => (
                <li key={app.clientId}>
                  <div class="what">
                    <strong>
                      <bdi>{app.name}</bdi> <i class="tag">{isPublicClient(app) ? 'public' : 'with a secret'}</i>
                      {app.isStandard === true && <i class="tag">standard responses</i>}
                    </strong>
                    <span>
                      Client ID <code>{app.clientId}</code>
                    </span>
                    <span>
                      Registered by{' '}
                      {app.ownerId === undefined ? 'the administrator' : (names.get(app.ownerId) ?? 'a removed user')},{' '}
                      <RelativeTime seconds={app.createdAt} now={now} />
                    </span>
                    {(app.redirectUris ?? []).map((uri) => (
                      <span key={uri}>{uri}</span>
                    ))}
                  </div>
                  <div class="acts">
                    <Confirm summary="Remove…" about={app.name}>
                      <PostForm request={request} to={`${path}/${app.clientId}/remove`} class="">
                        <button type="submit" class="grave">
                          Remove and sign out everywhere
                        </button>
                      </PostForm>
                    </Confirm>
                  </div>
                </li>
              ))}
            </ul>
            <Pager site={request.site} path={path} page={page} last={last} />
          </section>
        </>
      ),
    }
  }),
}

/** Removes any app. */
export const removeAnyAppPage: PageRoute = {
  path: `${path}/:id/remove`,
  post: forAdmin(async ({ params }, { store }) => {
    const app = await store.registry.findApp(params.id ?? '')
    if (app === undefined) throw new PageError('unknown')
    await removeApp(store, app.clientId)
    return { see: `${path}?done=removed` }
  }),
}
