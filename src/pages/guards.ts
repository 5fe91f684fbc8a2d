import { readOwnPath } from './own-path.ts'
import type { PageFields, PageHandler, PageRequest, SeeOther, SignedInRequest } from './page.ts'
import { PageRefused } from './page-refused.ts'

/** To the sign-in page, and from there back to this one; what a form held is lost, so only its page is named. */
export const seeSignIn = ({ path, query }: PageRequest): SeeOther => {
  const text = new URLSearchParams([...query]).toString()
  return { see: `/sign-in?${new URLSearchParams({ next: text === '' ? path : `${path}?${text}` })}` }
}

/** A page for those who are signed in; others are sent to the sign-in page and back. */
export const forSignedIn =
  (handle: PageHandler<SignedInRequest>): PageHandler =>
  (request, tools) => {
    const { signedIn } = request
    return signedIn === undefined ? seeSignIn(request) : handle({ ...request, signedIn }, tools)
  }

/** A page for admins; for everybody else it is not there. */
export const forAdmin = (handle: PageHandler<SignedInRequest>): PageHandler =>
  forSignedIn((request, tools) => {
    if (!request.signedIn.isAdmin) throw new PageRefused('unknown')
    return handle(request, tools)
  })

/** Where to go after a sign-in: the path of ours that `next` of the query or form names, or the account. */
export const findNext = (fields: PageFields): string => readOwnPath(fields.get('next')) ?? '/account'
