import { PostForm } from '../form-parts.tsx'
import type { SignedInRequest } from '../page.ts'

interface Act {
  readonly name: string
  readonly about: string
  readonly button: string
  /** Below the page of the person. */
  readonly to: string
}

interface Person {
  readonly id: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
}

const listActs = ({ isAdmin, isDisabled }: Person): readonly Act[] => {
  if (isDisabled) {
    const about = 'Apps and tokens of before work again; browsers have to sign in anew.'
    return [{ name: 'Enable', about, button: 'Enable', to: 'enable' }]
  }
  return [
    {
      name: 'Link to set a password',
      about: 'For somebody who forgot it. What is signed in stays so until the link is used.',
      button: 'Make a link',
      to: 'link',
    },
    {
      name: 'Disable',
      about: 'Nobody gets in and no token works; everything is kept.',
      button: 'Disable',
      to: 'disable',
    },
    isAdmin
      ? {
          name: 'Admin no more',
          about: 'The account stays, without the admin pages. The only admin stays one.',
          button: 'Demote',
          to: 'demote',
        }
      : {
          name: 'Make admin',
          about: 'An admin may do everything that these pages offer, to you as well.',
          button: 'Promote',
          to: 'promote',
        },
  ]
}

/** What an admin can do with an account, a button each; nobody removes the own account. */
export const PersonActs = ({ request, person }: { readonly request: SignedInRequest; readonly person: Person }) => {
  const here = `/admin/people/${person.id}`
  return (
    <section class="sheet" aria-labelledby="acts">
      <h2 id="acts">What you can do</h2>
      <ul class="rows">
        {listActs(person).map(({ name, about, button, to }) => (
          <li key={to}>
            <div class="what">
              <strong>{name}</strong>
              <span>{about}</span>
            </div>
            <div class="acts">
              <PostForm request={request} to={`${here}/${to}`} class="">
                <button type="submit">{button}</button>
              </PostForm>
            </div>
          </li>
        ))}
        <li>
          <div class="what">
            <strong>Name and limits</strong>
            <span>Another name, and how much the person may keep.</span>
          </div>
          <div class="acts">
            <a class="button" href={request.site.href(`${here}/change`)}>
              Change…
            </a>
          </div>
        </li>
        {person.id !== request.signedIn.userId && (
          <li>
            <div class="what">
              <strong>Remove</strong>
              <span>With everything in it, for good. You are offered an export first.</span>
            </div>
            <div class="acts">
              <a class="button" href={request.site.href(`${here}/remove`)}>
                Remove…
              </a>
            </div>
          </li>
        )}
      </ul>
    </section>
  )
}
