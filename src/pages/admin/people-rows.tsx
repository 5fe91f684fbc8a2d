import type { Link, User } from '../../store/registry/registry.ts'
import { PostForm } from '../form-parts.tsx'
import type { PageRequest } from '../page.ts'
import { When } from '../show-time.tsx'

/** A person in the list of all. */
export const PersonRow = ({
  user,
  isAdmin,
  request,
  now,
}: {
  user: User
  isAdmin: boolean
  request: PageRequest
  now: number
}) => (
  <li>
    <div class="what">
      <strong>
        <a href={request.site.href(`/admin/people/${user.id}`)}>
          <bdi>{user.name}</bdi>
        </a>{' '}
        {isAdmin && <i class="tag">admin</i>} {user.disabledAt !== undefined && <i class="tag">disabled</i>}
      </strong>
      <span>
        Account made <When seconds={user.createdAt} now={now} />
      </span>
    </div>
  </li>
)

/** An invitation that can still be used, and the button that withdraws it. */
export const InvitationRow = ({ link, request, now }: { link: Link; request: PageRequest; now: number }) => (
  <li>
    <div class="what">
      <strong>{link.name ?? 'For anybody'}</strong>
      <span>
        Good until <When seconds={link.expiresAt} now={now} />
      </span>
    </div>
    <div class="acts">
      <PostForm request={request} to="/admin/people/withdraw" class="">
        <input type="hidden" name="invitation" value={link.hash} />
        <button type="submit">
          Withdraw<span class="aside"> the invitation for {link.name ?? 'anybody'}</span>
        </button>
      </PostForm>
    </div>
  </li>
)
