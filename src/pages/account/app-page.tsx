import { changeApp, removeApp, rotateAppSecret } from '../../accounts/apps.ts'
import { isPublicApp } from '../../accounts/check-client.ts'
import type { App } from '../../store/registry/registry.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Confirm, Head, Note, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'
import { tryForm, type Wrongs } from '../say-refused.ts'
import { AppFields, type AppValues, readAppForm, toAppDetails } from './app-fields.tsx'
import { showCurlPair, showEnvironment } from './describe-app.ts'

const path = '/account/apps/:id'

/** An app that the person registered. @throws PageRefused of anybody else's */
const findOwnApp = async ({ params, signedIn }: SignedInRequest, { store }: PageTools): Promise<App> => {
  const app = await store.registry.findApp(params.id ?? '')
  if (app === undefined || app.ownerId !== signedIn.userId) throw new PageRefused('unknown')
  return app
}

const done: Readonly<Record<string, string>> = {
  made: 'The app is registered.',
  changed: 'The app is changed.',
}

const Credentials = ({ app, secret, request }: { app: App; secret: string | undefined; request: SignedInRequest }) => (
  <>
    <Copyable label="As a .env" text={showEnvironment(request.site, app, secret)} />
    {secret !== undefined && (
      <Copyable
        label="In a shell: get a token, then sync"
        text={showCurlPair(request.site, app, secret, request.signedIn.userName)}
      />
    )}
  </>
)

const show = (
  request: SignedInRequest,
  app: App,
  { values, wrongs = {}, secret }: { values?: AppValues; wrongs?: Wrongs; secret?: string | undefined } = {},
): ShownPage => {
  const sentence = done[request.query.get('done') ?? '']
  const here = `/account/apps/${app.clientId}`
  const kept = {
    name: app.name,
    redirectUris: (app.redirectUris ?? []).join('\n'),
    isStandard: app.isStandard === true,
  }
  return {
    title: app.name,
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <Head title={app.name}>{isPublicApp(app) ? 'A public app, without a secret.' : 'An app with a secret.'}</Head>
        {sentence !== undefined && <Note kind="good">{sentence}</Note>}
        {secret !== undefined && (
          <ShownSecret title="The client secret">
            <Credentials app={app} secret={secret} request={request} />
          </ShownSecret>
        )}
        {secret === undefined && (
          <section class="sheet" aria-labelledby="ids">
            <h2 id="ids">What the app is told</h2>
            <Credentials app={app} secret={undefined} request={request} />
            {!isPublicApp(app) && (
              <p class="soft">The client secret was shown when it was made. If it is lost, make a new one.</p>
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
          {!isPublicApp(app) && (
            <Confirm summary="Make a new client secret…">
              <PostForm request={request} to={`${here}/secret`}>
                <p>The old secret stops working at once. Whoever is signed in with the app stays so.</p>
                <div class="buttons">
                  <button type="submit">Make a new client secret</button>
                </div>
              </PostForm>
            </Confirm>
          )}
          <Confirm summary="Remove the app…">
            <PostForm request={request} to={`${here}/remove`}>
              <p>Removing signs the app out for everybody who uses it, for good.</p>
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

/** `/account/apps/ID`: one app that the person registered. */
export const appPage: PageRoute = {
  path,
  get: forSignedIn(async (request, tools) => {
    const secret = tools.shownOnce.find(request, request.query.get('secret'))
    return show(request, await findOwnApp(request, tools), { secret })
  }),
  post: forSignedIn(async (request, tools) => {
    const app = await findOwnApp(request, tools)
    const values = readAppForm(request.form)
    const changes = { name: values.name, ...toAppDetails(values) }
    const outcome = await tryForm(() => changeApp(tools.store, app.clientId, changes))
    if ('wrongs' in outcome) return show(request, app, { values, wrongs: outcome.wrongs })
    return { see: `/account/apps/${app.clientId}?done=changed` }
  }),
}

/** Gives an app a new secret. */
export const newSecretPage: PageRoute = {
  path: `${path}/secret`,
  isSentOnce: true,
  post: forSignedIn(async (request, tools) => {
    const { clientId, ...app } = await findOwnApp(request, tools)
    if (isPublicApp({ clientId, ...app })) throw new PageRefused('unknown')
    const { clientSecret } = await rotateAppSecret(tools.store, clientId, tools.world)
    const key = tools.shownOnce.keep(request, clientSecret)
    return { see: `/account/apps/${clientId}?secret=${key}` }
  }),
}

/** Removes an app. */
export const removeAppPage: PageRoute = {
  path: `${path}/remove`,
  post: forSignedIn(async (request, tools) => {
    const { clientId } = await findOwnApp(request, tools)
    await removeApp(tools.store, clientId)
    return { see: '/account/apps?done=removed' }
  }),
}
