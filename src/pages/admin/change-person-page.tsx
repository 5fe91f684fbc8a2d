import { type QuotaChange, quotaNames, readQuotaWish } from '../../accounts/quota-wish.ts'
import { changeQuota } from '../../accounts/quotas.ts'
import { renameUser } from '../../accounts/rename-user.ts'
import { mostWebhooks } from '../../delivery/webhooks.ts'
import type { User } from '../../store/registry/registry.ts'
import { Head, PostForm, TextField } from '../form-parts.tsx'
import { forAdmin } from '../guards.ts'
import type { PageRoute, PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { tryForm, type Wrongs } from '../say-refused.ts'
import { findPerson } from './find-person.ts'

const labels = {
  things: 'Most things',
  bytes: 'Most bytes of things and tags',
  tags: 'Most tags with settings',
  hooks: 'Most webhooks',
} as const

/** What is bounded for everybody, whatever an admin says. */
const mosts: { readonly [Name in keyof typeof labels]?: number } = { hooks: mostWebhooks }

const showAmount = (amount: number | null): string => (amount === null ? 'none' : String(amount))

const describeNone = (most: number | undefined): string =>
  most === undefined ? 'A number, or “none” for no limit.' : `A number up to ${most}, or “none” for these ${most}.`

const describeWrong = (most: number | undefined): string =>
  `This is no whole number from 0 ${most === undefined ? 'on' : `to ${most}`}, and not “none”.`

const show = (request: SignedInRequest, { quotas }: PageTools, user: User, wrongs: Wrongs = {}): ShownPage => {
  const { form, site } = request
  return {
    title: `Change ${user.name}`,
    isNarrow: true,
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <Head title={`Change ${user.name}`}>
          With another name everything stays as it is, sessions and tokens, too; what signs in by name needs the new
          one.
        </Head>
        <section class="sheet" aria-label="Name and limits">
          <PostForm request={request}>
            <TextField name="name" label="User name" value={form.get('name') ?? user.name} wrong={wrongs.name} />
            {quotaNames.map((what) => {
              const own = user.quota?.[what]
              return (
                <TextField
                  key={what}
                  name={what}
                  label={labels[what]}
                  isOptional
                  value={form.get(what) ?? (own === undefined ? '' : showAmount(own))}
                  hint={`${describeNone(mosts[what])} Empty: as for everybody (${showAmount(quotas[what])}).`}
                  wrong={wrongs[what]}
                />
              )
            })}
            <div class="buttons">
              <button type="submit" class="main">
                Save
              </button>
              <a class="button" href={site.href(`/admin/people/${user.id}`)}>
                Back
              </a>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}

/** `/admin/people/ID/change`: another name, and how much the person may have. */
export const changePersonPage: PageRoute = {
  path: '/admin/people/:id/change',
  get: forAdmin(async (request, tools) => show(request, tools, await findPerson(request, tools))),
  post: forAdmin(async (request, tools) => {
    const { store, log } = tools
    const user = await findPerson(request, tools)
    const wishes = quotaNames.map(
      (what) => [what, readQuotaWish(request.form.get(what)?.trim() || 'default', mosts[what])] as const,
    )
    const unread = wishes.filter(([, wish]) => wish === undefined)
    if (unread.length > 0) {
      const wrongs = unread.map(([what]) => [what, describeWrong(mosts[what])])
      return show(request, tools, user, Object.fromEntries(wrongs))
    }
    const outcome = await tryForm(async () => {
      const name = request.form.get('name') ?? ''
      // A name that is kept since before a rule of names is no wish to change it.
      const to = name === user.name ? name : await renameUser(store, user.name, name)
      await changeQuota(store, to, Object.fromEntries(wishes) as QuotaChange)
      return to
    })
    if ('wrongs' in outcome) return show(request, tools, user, outcome.wrongs)
    log.info({ user: user.name, to: outcome.done, by: request.signedIn.userName }, 'an admin changed an account')
    return { see: `/admin/people/${user.id}?done=changed` }
  }),
}
