import {
  type AppDetails,
  addApp,
  addPublicClient,
  changeApp,
  isPublicClient,
  maxApps,
  removeApp,
  rotateAppSecret,
} from '../../accounts/apps.ts'
import { endSessions, type ListedSession, listSessions } from '../../accounts/session-management.ts'
import type { App } from '../../store/registry/registry.ts'
import {
  Checkbox,
  Confirm,
  CopyField,
  copyScript,
  NewSecret,
  Notice,
  PageHeader,
  PostForm,
  quoteForShell,
  RadioGroup,
  RelativeTime,
  TextAreaField,
  TextField,
} from '../components.tsx'
import type { PageFields, PageRequest, PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { type FieldErrors, PageError, tryForm } from '../page-error.tsx'
import { forSignedIn } from '../signed-in.ts'
import type { Site } from '../site.ts'
import { findAppsHere } from './sessions-page.tsx'

const appsPath = '/account/apps'

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
  isHere,
  request,
  now,
}: {
  readonly clientId: string
  readonly sessions: readonly ListedSession[]
  readonly isHere: boolean
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
          {isHere && (
            <>
              {' '}
              <i class="tag here">this browser</i>
            </>
          )}
        </strong>
        <span>
          {sessions.length === 1 ? 'On one device' : `On ${sessions.length} devices`}, last used{' '}
          <RelativeTime seconds={lastUsedAt} now={now} />
        </span>
      </div>
      <div class="acts">
        <PostForm request={request} to={`${appsPath}/${clientId}/leave`} class="">
          <button type="submit" class="grave">
            Remove access<span class="aside"> of {name}</span>
          </button>
        </PostForm>
      </div>
    </li>
  )
}

const RegisteredApp = ({
  app,
  request,
  now,
}: {
  readonly app: App
  readonly request: PageRequest
  readonly now: number
}) => (
  <li>
    <div class="what">
      <strong>
        <a href={request.site.href(`${appsPath}/${app.clientId}`)}>{app.name}</a>{' '}
        <i class="tag">{isPublicClient(app) ? 'public' : 'with a secret'}</i>
      </strong>
      <span>
        Client ID <code>{app.clientId}</code>
      </span>
      <span>
        Registered <RelativeTime seconds={app.createdAt} now={now} />
      </span>
    </div>
  </li>
)

const appsDone: Readonly<Record<string, string>> = {
  left: 'The app has no access now and is signed out on all devices. It can ask for access again.',
  removed: 'The app is removed and signed out everywhere.',
}

/** `/account/apps`: the apps that the user uses, and the apps that the user registered. */
export const appsPage: PageRoute = {
  path: appsPath,
  get: forSignedIn(async (request, { store, environment }) => {
    const { userId } = request.signedIn
    const sessions = await listSessions(store, userId, environment)
    const used = groupByApp(sessions)
    const [here] = findAppsHere(sessions, request)
    const registered = await store.registry.listAppsOf(userId)
    const sentence = appsDone[request.query.get('done') ?? '']
    const now = environment.now()
    return {
      title: 'Apps',
      content: (
        <>
          <PageHeader title="Apps">
            Apps that can read and change your items. An app whose access you remove must sign in again. What is stored
            in it stays.
          </PageHeader>
          {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
          <section class="sheet" aria-labelledby="used">
            <h2 id="used">With access</h2>
            {used.size === 0 ? (
              <p class="soft">No app has access to your items.</p>
            ) : (
              <ul class="rows">
                {[...used].map(([clientId, own]) => (
                  <UsedApp
                    key={clientId}
                    clientId={clientId}
                    sessions={own}
                    isHere={clientId === here?.clientId}
                    request={request}
                    now={now}
                  />
                ))}
              </ul>
            )}
          </section>
          <section class="sheet" aria-labelledby="own">
            <h2 id="own">Your own apps</h2>
            {registered.length === 0 ? (
              <p>For developers: register an app to get the client ID and the secret that it needs.</p>
            ) : (
              <ul class="rows">
                {registered.map((app) => (
                  <RegisteredApp key={app.clientId} app={app} request={request} now={now} />
                ))}
              </ul>
            )}
            <div class="buttons">
              <a class="button main" href={request.site.href(`${appsPath}/new`)}>
                Register an app
              </a>
            </div>
          </section>
        </>
      ),
    }
  }),
}

/** Ends all sessions of an app for one user. */
export const signOutAppPage: PageRoute = {
  path: `${appsPath}/:id/leave`,
  post: forSignedIn(async ({ params, signedIn }, { store }) => {
    const { id = '' } = params
    const ended = await endSessions(store, signedIn.userId, ({ clientId }) => clientId === id)
    if (ended === 0) throw new PageError('unknown')
    return { see: `${appsPath}?done=left` }
  }),
}

/** The values of the form of an app: the input, or the present values of the app. */
interface AppValues {
  readonly name: string
  readonly redirectUris: string
  readonly isStandard: boolean
}

/** Reads the input of the form of an app. */
const readAppForm = (form: PageFields): AppValues => ({
  name: form.get('name') ?? '',
  redirectUris: form.get('redirect_uris') ?? '',
  isStandard: form.get('standard') === 'on',
})

/** Parses the input into the fields of an app. */
export const toAppDetails = ({ redirectUris, isStandard }: AppValues): Required<AppDetails> => ({
  redirectUris: redirectUris
    .split(/\s+/)
    .map((uri) => uri.trim())
    .filter(Boolean),
  isStandard,
})

/** The form fields of a new app and of a change. */
const AppFields = ({ values, wrongs }: { readonly values: AppValues; readonly wrongs: FieldErrors }) => (
  <>
    <TextField
      name="name"
      label="Name"
      value={values.name}
      error={wrongs.name}
      hint="Users see this name when the app asks for access to their items."
    />
    <TextAreaField
      name="redirect_uris"
      label="Redirect URIs"
      value={values.redirectUris}
      error={wrongs.redirect_uris}
      hint="The URIs to which a browser returns after sign-in, one per line and exact: https://…, http://127.0.0.1/…, or com.example.app:/back. Leave this empty for an app that asks for the password itself."
    />
    <Checkbox
      name="standard"
      label="Standard responses"
      isTicked={values.isStandard}
      hint="For OAuth libraries that reject “scope”: null. Leave it off for apps that were written for this API."
    />
  </>
)

/** Formats the credentials of an app for a `.env` file. */
const showEnvironment = ({ baseUrl }: Site, app: App, secret: string | undefined): string =>
  [
    `THINGSYNC_BASE_URL=${baseUrl}`,
    `THINGSYNC_CLIENT_ID=${app.clientId}`,
    ...(secret === undefined ? [] : [`THINGSYNC_CLIENT_SECRET=${secret}`]),
  ].join('\n')

/**
 * Formats two calls of curl for a POSIX shell that work when pasted: the first asks for the password and gets a token,
 * the second syncs with it. The braces make the shell read all lines before it asks, so that it does not read the
 * second call as the password. The password is never an argument, which other users of the machine could see.
 */
const showCurlPair = ({ baseUrl }: Site, app: App, secret: string, userName: string): string =>
  `{ printf 'Password: '; stty -echo 2>/dev/null; IFS= read -r PASSWORD; stty echo 2>/dev/null; echo
TOKEN=$(printf %s "$PASSWORD" | curl -sS -d grant_type=password -d client_id=${app.clientId} -d client_secret=${secret} --data-urlencode ${quoteForShell(`username=${userName}`)} --data-urlencode password@- ${quoteForShell(`${baseUrl}token`)} | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')
curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" ${quoteForShell(`${baseUrl}sync`)}; }`

/** Formats a curl command with a personal access token. */
export const showTokenCurl = ({ baseUrl }: Site, token: string): string =>
  `curl -sS -w '\\n' -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${baseUrl}sync`)}`

const appKinds = [
  {
    value: 'secret',
    label: 'With a secret (confidential client)',
    hint: 'A server, your own script, or a program that asks for the password itself.',
  },
  {
    value: 'public',
    label: 'Without a secret (public client)',
    hint: 'A web page or an app that others install. It uses PKCE and needs a redirect URI.',
  },
] as const

type Kind = (typeof appKinds)[number]['value']

const showNewApp = (
  request: SignedInRequest,
  values: AppValues & { kind: Kind },
  wrongs: FieldErrors = {},
): ShownPage => ({
  title: 'Register an app',
  isNarrow: true,
  ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
  content: (
    <>
      <PageHeader title="Register an app" back={{ href: request.site.href(appsPath), name: 'Apps' }}>
        You get a client ID and, unless the app is public, a client secret.
      </PageHeader>
      <section class="sheet" aria-label="The app">
        <PostForm request={request}>
          <AppFields values={values} wrongs={wrongs} />
          <RadioGroup name="kind" label="Type of app" value={values.kind} choices={appKinds} error={wrongs.kind} />
          <div class="buttons">
            <button type="submit" class="main">
              Register
            </button>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/account/apps/new`: registers an app of the user. */
export const newAppPage: PageRoute = {
  path: '/account/apps/new',
  isDeduplicated: true,
  get: forSignedIn((request) => showNewApp(request, { name: '', redirectUris: '', isStandard: false, kind: 'secret' })),
  post: forSignedIn(async (request, { store, environment, oneTimeSecrets }) => {
    const { userId: ownerId } = request.signedIn
    const values = readAppForm(request.form)
    const requested = request.form.get('kind') ?? 'secret'
    const kind = appKinds.find(({ value }) => value === requested)?.value
    if (kind === undefined) {
      return showNewApp(request, { ...values, kind: 'secret' }, { kind: 'The type must be “secret” or “public”.' })
    }
    const own = await store.registry.listAppsOf(ownerId)
    if (own.length >= maxApps) {
      return showNewApp(
        request,
        { ...values, kind },
        { name: `You have ${maxApps} apps, the maximum. Remove one first.` },
      )
    }
    const details = { ...toAppDetails(values), ownerId }
    const add = async () => {
      if (kind === 'public')
        return { ...(await addPublicClient(store, values.name, environment, details)), clientSecret: '' }
      return addApp(store, values.name, environment, details)
    }
    const outcome = await tryForm(add)
    if ('wrongs' in outcome) return showNewApp(request, { ...values, kind }, outcome.wrongs)
    const { clientId, clientSecret } = outcome.done
    if (clientSecret === '') return { see: `/account/apps/${clientId}?done=created` }
    return { see: `/account/apps/${clientId}?secret=${oneTimeSecrets.seal(request, clientSecret)}` }
  }),
}

const appPath = '/account/apps/:id'

/** Finds an app that the user registered. @throws PageError when there is none, or it belongs to another user */
const findAppOfUser = async ({ params, signedIn }: SignedInRequest, { store }: PageTools): Promise<App> => {
  const app = await store.registry.findApp(params.id ?? '')
  if (app === undefined || app.ownerId !== signedIn.userId) throw new PageError('unknown')
  return app
}

const appDone: Readonly<Record<string, string>> = {
  created: 'The app is registered.',
  changed: 'The app is changed.',
}

const Credentials = ({ app, secret, request }: { app: App; secret: string | undefined; request: SignedInRequest }) => (
  <>
    <CopyField label="As a .env file" text={showEnvironment(request.site, app, secret)} />
    {secret !== undefined && (
      <CopyField
        label="In a shell: get a token, then sync"
        text={showCurlPair(request.site, app, secret, request.signedIn.userName)}
      />
    )}
  </>
)

const showApp = (
  request: SignedInRequest,
  app: App,
  { values, wrongs = {}, secret }: { values?: AppValues; wrongs?: FieldErrors; secret?: string | undefined } = {},
): ShownPage => {
  const sentence = appDone[request.query.get('done') ?? '']
  const here = `/account/apps/${app.clientId}`
  const kept = {
    name: app.name,
    redirectUris: (app.redirectUris ?? []).join('\n'),
    isStandard: app.isStandard === true,
  }
  return {
    title: app.name,
    script: copyScript,
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <PageHeader title={app.name} back={{ href: request.site.href(appsPath), name: 'Apps' }}>
          {isPublicClient(app) ? 'A public client, without a secret.' : 'An app with a secret.'}
        </PageHeader>
        {sentence !== undefined && <Notice kind="good">{sentence}</Notice>}
        {secret !== undefined && (
          <NewSecret title="The client secret">
            <Credentials app={app} secret={secret} request={request} />
          </NewSecret>
        )}
        {secret === undefined && (
          <section class="sheet" aria-labelledby="ids">
            <h2 id="ids">Values to enter in the app</h2>
            <Credentials app={app} secret={undefined} request={request} />
            {!isPublicClient(app) && (
              <p class="soft">The client secret was shown when it was created. If you lost it, create a new one.</p>
            )}
          </section>
        )}
        <section class="sheet" aria-labelledby="change">
          <h2 id="change">Change the app</h2>
          <PostForm request={request} to={here}>
            <AppFields values={values ?? kept} wrongs={wrongs} />
            <div class="buttons">
              <button type="submit" class="main">
                Save
              </button>
            </div>
          </PostForm>
        </section>
        <section class="sheet" aria-labelledby="end">
          <h2 id="end">Replace or remove</h2>
          {!isPublicClient(app) && (
            <Confirm summary="Create a new client secret…">
              <PostForm request={request} to={`${here}/secret`}>
                <p>The old secret stops working at once. Users stay signed in with the app.</p>
                <div class="buttons">
                  <button type="submit">Create a new client secret</button>
                </div>
              </PostForm>
            </Confirm>
          )}
          <Confirm summary="Remove the app…">
            <PostForm request={request} to={`${here}/remove`}>
              <p>The app is removed permanently, and all of its users are signed out of it.</p>
              <div class="buttons">
                <button type="submit" class="grave">
                  Remove the app
                </button>
              </div>
            </PostForm>
          </Confirm>
        </section>
      </>
    ),
  }
}

/** `/account/apps/ID`: shows and changes an app that the user registered. */
export const appPage: PageRoute = {
  path: appPath,
  get: forSignedIn(async (request, tools) => {
    const secret = tools.oneTimeSecrets.find(request, request.query.get('secret'))
    return showApp(request, await findAppOfUser(request, tools), { secret })
  }),
  post: forSignedIn(async (request, tools) => {
    const app = await findAppOfUser(request, tools)
    const values = readAppForm(request.form)
    const changes = { name: values.name, ...toAppDetails(values) }
    const outcome = await tryForm(() => changeApp(tools.store, app.clientId, changes))
    if ('wrongs' in outcome) return showApp(request, app, { values, wrongs: outcome.wrongs })
    return { see: `/account/apps/${app.clientId}?done=changed` }
  }),
}

/** Gives an app a new secret. */
export const newSecretPage: PageRoute = {
  path: `${appPath}/secret`,
  isDeduplicated: true,
  post: forSignedIn(async (request, tools) => {
    const { clientId, ...app } = await findAppOfUser(request, tools)
    if (isPublicClient({ clientId, ...app })) throw new PageError('unknown')
    const { clientSecret } = await rotateAppSecret(tools.store, clientId, tools.environment)
    const key = tools.oneTimeSecrets.seal(request, clientSecret)
    return { see: `/account/apps/${clientId}?secret=${key}` }
  }),
}

/** Removes an app. */
export const removeAppPage: PageRoute = {
  path: `${appPath}/remove`,
  post: forSignedIn(async (request, tools) => {
    const { clientId } = await findAppOfUser(request, tools)
    await removeApp(tools.store, clientId)
    return { see: '/account/apps?done=removed' }
  }),
}
