import { listAdmins } from '../../accounts/admins.ts'
import { listInvitations } from '../../accounts/invitations.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note, PostForm, TextField } from '../form-parts.tsx'
import { showLinkAddress } from '../link-address.ts'
import type { PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { Pager, sortByName, takePage } from '../pager.tsx'
import type { Wrongs } from '../say-refused.ts'
import { InvitationRow, PersonRow } from './people-rows.tsx'

const path = '/admin/people'

/** The page of all people; `wrongs` are what was wrong with a form of it. */
export const showPeople = async (
  request: SignedInRequest,
  { store, world, shownOnce }: PageTools,
  wrongs: Wrongs = {},
): Promise<ShownPage> => {
  const { site, query, form } = request
  const everybody = sortByName(await store.registry.listUsers())
  const admins = new Set((await listAdmins(store.registry)).map(({ id }) => id))
  const { rows, page, last } = takePage(everybody, query)
  const secret = shownOnce.find(request, query.get('link'))
  const invitations = await listInvitations(store, world)
  const now = world.now()
  return {
    title: 'People',
    ...(Object.keys(wrongs).length === 0 ? {} : { status: 422 }),
    content: (
      <>
        <Head title="People">Everybody who has an account on this server.</Head>
        {query.get('done') === 'removed' && <Note kind="good">The account is removed, with everything in it.</Note>}
        {query.get('done') === 'withdrawn' && <Note kind="good">That invitation cannot be used any more.</Note>}
        {secret !== undefined && (
          <ShownSecret title="A link to pass on">
            <p>Whoever opens it first can use it, once and within seven days. Send it the way you send a password.</p>
            <Copyable label="The link" text={showLinkAddress(site.baseUrl, secret)} />
          </ShownSecret>
        )}
        <section class="sheet" aria-label="People">
          <ul class="rows">
            {rows.map((user) => (
              <PersonRow key={user.id} user={user} isAdmin={admins.has(user.id)} request={request} now={now} />
            ))}
          </ul>
          <Pager site={site} path={path} page={page} last={last} />
        </section>
        <section class="sheet" aria-labelledby="invite">
          <h2 id="invite">Invite</h2>
          <p class="soft">A link with which somebody makes an account, and chooses a password that you never see.</p>
          <PostForm request={request} to={`${path}/invite`}>
            <TextField
              name="invited"
              label="User name"
              isOptional={true}
              value={form.get('invited')}
              wrong={wrongs.invited}
              hint="Leave it empty to let them choose it."
            />
            <div class="buttons">
              <button type="submit" class="main">
                Make an invitation
              </button>
            </div>
          </PostForm>
        </section>
        {invitations.length > 0 && (
          <section class="sheet" aria-labelledby="open">
            <h2 id="open">Open invitations</h2>
            <ul class="rows">
              {invitations.map((link) => (
                <InvitationRow key={link.hash} link={link} request={request} now={now} />
              ))}
            </ul>
          </section>
        )}
        <section class="sheet" aria-labelledby="add">
          <h2 id="add">Add</h2>
          <p class="soft">An account at once. The next page makes a link with which they set a password.</p>
          <PostForm request={request} to={path}>
            <TextField name="name" label="Name of the new user" value={form.get('name')} wrong={wrongs.name} />
            <div class="buttons">
              <button type="submit">Add the user</button>
            </div>
          </PostForm>
        </section>
      </>
    ),
  }
}
