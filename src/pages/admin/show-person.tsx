import { isAdmin } from '../../accounts/admins.ts'
import { findQuota } from '../../accounts/quotas.ts'
import { listSessions } from '../../accounts/sessions.ts'
import { listWebhooks } from '../../delivery/webhooks.ts'
import type { User } from '../../store/registry/registry.ts'
import { Copyable, ShownSecret } from '../copy-parts.tsx'
import { Head, Note } from '../form-parts.tsx'
import { showLinkAddress } from '../link-address.ts'
import type { PageTools, ShownPage, SignedInRequest } from '../page.ts'
import { When } from '../show-time.tsx'
import { UsageFacts } from '../show-usage.tsx'
import { PersonActs } from './person-acts.tsx'

const done: Readonly<Record<string, string>> = {
  changed: 'Name and limits are as you have set them.',
  added: 'The account is made. Make a link with which they set a password.',
  disabled: 'The account is disabled: nobody gets in, and no token works, until you enable it.',
  enabled: 'The account is enabled, with the apps and tokens of before. Browsers sign in again.',
  promoted: 'The person is an admin now.',
  demoted: 'The person is not an admin any more.',
}

/** The page of one account; `wrong` is what an admin asked for and could not have. */
export const showPerson = async (
  request: SignedInRequest,
  tools: PageTools,
  user: User,
  wrong?: string,
): Promise<ShownPage> => {
  const { site, query } = request
  const { store, world, shownOnce, quotas } = tools
  const [sessions, view, isPersonAdmin] = await Promise.all([
    listSessions(store, user.id, world),
    store.read(user.id),
    isAdmin(store.registry, user),
  ])
  const has = { ...(await view.countUsage()), hooks: (await listWebhooks(view)).length }
  const secret = shownOnce.find(request, query.get('link'))
  const sentence = done[query.get('done') ?? '']
  const isDisabled = user.disabledAt !== undefined
  const now = world.now()
  return {
    title: user.name,
    ...(wrong === undefined ? {} : { status: 422 }),
    content: (
      <>
        <Head title={user.name}>
          {isPersonAdmin ? 'An admin' : 'An account'}
          {isDisabled ? ', disabled.' : '.'}
        </Head>
        {sentence !== undefined && <Note kind="good">{sentence}</Note>}
        {wrong !== undefined && <Note kind="bad">{wrong}</Note>}
        {secret !== undefined && (
          <ShownSecret title="A link to pass on">
            <p>Whoever opens it first sets the password, once and within a day. Send it the way you send a password.</p>
            <Copyable label="The link" text={showLinkAddress(site.baseUrl, secret)} />
          </ShownSecret>
        )}
        <section class="sheet" aria-labelledby="facts">
          <h2 id="facts">What is known</h2>
          <dl class="facts">
            <UsageFacts has={has} quota={findQuota(user, quotas)} />
            <div>
              <dt>Apps, tokens and browsers</dt>
              <dd>{sessions.length.toLocaleString('en')} signed in</dd>
            </div>
            <div>
              <dt>Account made</dt>
              <dd>
                <When seconds={user.createdAt} now={now} />
              </dd>
            </div>
            {user.disabledAt !== undefined && (
              <div>
                <dt>Disabled</dt>
                <dd>
                  <When seconds={user.disabledAt} now={now} />
                </dd>
              </div>
            )}
          </dl>
        </section>
        <PersonActs request={request} person={{ id: user.id, isAdmin: isPersonAdmin, isDisabled }} />
      </>
    ),
  }
}
