import { endBrowserSession } from '../../accounts/browser-sessions.ts'
import { readOwnPath } from '../own-path.ts'
import type { PageRoute } from '../page.ts'

/** `POST /sign-out`: ends the session in this browser; apps keep theirs. The web app asks for it, too. */
export const signOutPage: PageRoute = {
  path: '/sign-out',
  trustsOwnPages: true,
  post: async ({ form, sessionSecret }, { store }) => {
    const ended = sessionSecret === undefined ? undefined : await endBrowserSession(store, sessionSecret)
    const signIn = ended?.by === 'provider' ? '/sign-in?signed-out=provider' : '/sign-in'
    return { see: readOwnPath(form.get('next')) ?? signIn, session: null }
  },
}
