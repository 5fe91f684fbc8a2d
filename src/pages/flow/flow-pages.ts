import type { PageRoute } from '../page.ts'
import { authorizePage } from './authorize-page.ts'
import { providerPages } from './provider-pages.ts'
import { signInPage } from './sign-in-page.tsx'
import { signOutPage } from './sign-out-page.ts'

/** The pages of the web flow: signing in and out, and letting an app in. */
export const flowPages: readonly PageRoute[] = [authorizePage, signInPage, ...providerPages, signOutPage]
