import { isPublicApp } from '../../accounts/check-client.ts'
import { endSessions, type ListedSession, listSessions } from '../../accounts/sessions.ts'
import type { App } from '../../store/registry/registry.ts'
import { Head, Note, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRequest, PageRoute } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { When } from '../show-time.tsx'

const path = '/account/apps'

const groupByApp = (sessions: readonly ListedSession[]): ReadonlyMap<string, readonly ListedSession[]> => {
  const groups = new Map<string, ListedSession[]>()
  for (const session of sessions) {
    if (session.clientId === undefined) continue
    const group = groups.get(session.clientId)
    if (group === undefined) groups.set(session.clientId, [session])
    else group.push(session)
  }
  return groups
}

const UsedApp = ({
  clientId,
  sessions,
  request,
  now,
}: {
  readonly clientId: string
  readonly sessions: readonly ListedSession[]
  readonly request: PageRequest
  readonly now: number
}) => {
  const name = sessions[0]?.name ?? clientId
  const lastUsedAt = Math.max(...sessions.map((session) => session.lastUsedAt ?? session.createdAt))
  return (
    <li>
      <div class="what">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>
          {sessions.length === 1 ? 'On one device' : `On ${sessions.length} devices`}, last used{' '}
          <When seconds={lastUsedAt} now={now} />
        </span>
      </div>
      <div class="acts">
        <PostForm request={request} to={`${path}/${clientId}/leave`} class="">
          <button type="submit" class="grave">
            Sign out<span class="aside"> of {name}</span>
          </button>
        </PostForm>
      </div>
    </li>
  )
}

const OwnApp = ({ app, request, now }: { readonly app: App; readonly request: PageRequest; readonly now: number }) => (
  <li>
    <div class="what">
      <strong>
        <a href={request.site.href(`${path}/${app.clientId}`)}>{app.name}</a>{' '}
        <i class="tag">{isPublicApp(app) ? 'public' : 'with a secret'}</i>
      </strong>
      <span>
        Client id <code>{app.clientId}</code>
      </span>
      <span>
        Registered <When seconds={app.createdAt} now={now} />
      </span>
    </div>
  </li>
)

const done: Readonly<Record<string, string>> = {
  left: 'The app is signed out on all devices. It can ask you again.',
  removed: 'The app is removed, and signed out everywhere.',
}

/** `/account/apps`: apps that the person uses, and apps that the person registered. */
export const appsPage: PageRoute = {
  path,
  get: forSignedIn(async (request, { store, world }) => {
    const { userId } = request.signedIn
    const used = groupByApp(await listSessions(store, userId, world))
    const own = await store.registry.listAppsOf(userId)
    const sentence = done[request.query.get('done') ?? '']
    const now = world.now()
    return {
      title: 'Apps',
      content: (
        <>
          <Head title="Apps">Apps that read and change your things, and apps that you make.</Head>
          {sentence !== undefined && <Note kind="good">{sentence}</Note>}
          <section class="sheet" aria-labelledby="used">
            <h2 id="used">Apps that you use</h2>
            {used.size === 0 ? (
              <p class="soft">None is signed in.</p>
            ) : (
              <ul class="rows">
                {[...used].map(([clientId, sessions]) => (
                  <UsedApp key={clientId} clientId={clientId} sessions={sessions} request={request} now={now} />
                ))}
              </ul>
            )}
          </section>
          <section class="sheet" aria-labelledby="own">
            <h2 id="own">Apps that you registered</h2>
            {own.length === 0 ? (
              <p>
                An app shows a client id, and most a client secret, when it asks for a token. Register your app to get
                them.
              </p>
            ) : (
              <ul class="rows">
                {own.map((app) => (
                  <OwnApp key={app.clientId} app={app} request={request} now={now} />
                ))}
              </ul>
            )}
            <div class="buttons">
              <a class="button main" href={request.site.href(`${path}/new`)}>
                Register an app
              </a>
            </div>
          </section>
        </>
      ),
    }
  }),
}

/** Ends all sessions of an app, for one person. */
export const leaveAppPage: PageRoute = {
  path: `${path}/:id/leave`,
  post: forSignedIn(async ({ params, signedIn }, { store }) => {
    const { id = '' } = params
    const ended = await endSessions(store, signedIn.userId, ({ clientId }) => clientId === id)
    if (ended === 0) throw new PageRefused('unknown')
    return { see: `${path}?done=left` }
  }),
}
