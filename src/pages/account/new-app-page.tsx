import { addApp, addPublicApp, mostApps } from '../../accounts/apps.ts'
import { Head, OneOf, PostForm } from '../form-parts.tsx'
import { forSignedIn } from '../guards.ts'
import type { PageRoute, ShownPage, SignedInRequest } from '../page.ts'
import { tryForm, type Wrongs } from '../say-refused.ts'
import { AppFields, type AppValues, readAppForm, toAppDetails } from './app-fields.tsx'

const kinds = [
  {
    value: 'secret',
    label: 'It can keep a secret',
    hint: 'A server, a script of yours, or a program that asks for the password itself.',
  },
  {
    value: 'public',
    label: 'It cannot: it is public',
    hint: 'A web page or an app that others install. It proves itself by PKCE and needs a redirect address.',
  },
] as const

type Kind = (typeof kinds)[number]['value']

const show = (request: SignedInRequest, values: AppValues & { kind: Kind }, wrongs: Wrongs = {}): ShownPage => ({
  title: 'Register an app',
  isNarrow: true,
  ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
  content: (
    <>
      <Head title="Register an app">You get a client id and, unless it is public, a client secret.</Head>
      <section class="sheet" aria-label="The app">
        <PostForm request={request}>
          <AppFields values={values} wrongs={wrongs} />
          <OneOf name="kind" label="What kind of app?" value={values.kind} choices={kinds} wrong={wrongs.kind} />
          <div class="buttons">
            <button type="submit" class="main">
              Register
            </button>
            <a class="button" href={request.site.href('/account/apps')}>
              Back
            </a>
          </div>
        </PostForm>
      </section>
    </>
  ),
})

/** `/account/apps/new`: a person registers an app. */
export const newAppPage: PageRoute = {
  path: '/account/apps/new',
  isSentOnce: true,
  get: forSignedIn((request) => show(request, { name: '', redirectUris: '', isStandard: false, kind: 'secret' })),
  post: forSignedIn(async (request, { store, world, shownOnce }) => {
    const { userId: ownerId } = request.signedIn
    const values = readAppForm(request.form)
    const asked = request.form.get('kind') ?? 'secret'
    const kind = kinds.find(({ value }) => value === asked)?.value
    if (kind === undefined) {
      return show(request, { ...values, kind: 'secret' }, { kind: 'The kind has to be “secret” or “public”.' })
    }
    const own = await store.registry.listAppsOf(ownerId)
    if (own.length >= mostApps) {
      return show(request, { ...values, kind }, { name: `You have ${mostApps} apps; remove one first.` })
    }
    const details = { ...toAppDetails(values), ownerId }
    const add = async () => {
      if (kind === 'public') return { ...(await addPublicApp(store, values.name, world, details)), clientSecret: '' }
      return addApp(store, values.name, world, details)
    }
    const outcome = await tryForm(add)
    if ('wrongs' in outcome) return show(request, { ...values, kind }, outcome.wrongs)
    const { clientId, clientSecret } = outcome.done
    if (clientSecret === '') return { see: `/account/apps/${clientId}?done=made` }
    return { see: `/account/apps/${clientId}?secret=${shownOnce.keep(request, clientSecret)}` }
  }),
}
