import { accountPage, exportPage } from './account/account-page.tsx'
import { appPage, appsPage, newAppPage, newSecretPage, removeAppPage, signOutAppPage } from './account/apps-page.tsx'
import { deliveryPage, newWebhookSecretPage } from './account/delivery-page.tsx'
import { passwordPage } from './account/password-page.tsx'
import { endOtherSessionsPage, endSessionPage, sessionsPage } from './account/sessions-page.tsx'
import { androidPage, iphonePage } from './account/shortcut-pages.tsx'
import { revokeTokenPage, tokensPage } from './account/tokens-page.tsx'
import { adminPage, limitsPage, storePage } from './admin/admin-page.tsx'
import { allAppsPage, removeAnyAppPage } from './admin/apps-page.tsx'
import {
  changeUserPage,
  exportUserPage,
  passwordLinkPage,
  removeUserPage,
  userPage,
  userSwitches,
} from './admin/user-page.tsx'
import { invitePage, usersPage, withdrawPage } from './admin/users-page.tsx'
import { createDocsPage, docsErrorsPage, docsSchemasPage } from './docs/docs-page.tsx'
import { docsCodePage, docsTryPage } from './docs/operation-pages.tsx'
import { linkPage } from './link-page.tsx'
import type { PageRoute } from './page.ts'
import { registerPage } from './register-page.tsx'
import { authorizePage } from './sign-in/authorize-page.tsx'
import { providerPages } from './sign-in/external-sign-in.tsx'
import { signInPage, signOutPage } from './sign-in/sign-in-page.tsx'
import { startPage } from './start-page.tsx'

/** The pages of the authorization code flow: sign-in, sign-out and consent. */
const signInRoutes: readonly PageRoute[] = [authorizePage, signInPage, ...providerPages, signOutPage]

const accountRoutes: readonly PageRoute[] = [
  accountPage,
  sessionsPage,
  endSessionPage,
  endOtherSessionsPage,
  passwordPage,
  appsPage,
  signOutAppPage,
  newAppPage,
  appPage,
  newSecretPage,
  removeAppPage,
  tokensPage,
  revokeTokenPage,
  iphonePage,
  androidPage,
  deliveryPage,
  newWebhookSecretPage,
  exportPage,
]

const adminRoutes: readonly PageRoute[] = [
  adminPage,
  usersPage,
  invitePage,
  withdrawPage,
  userPage,
  passwordLinkPage,
  ...userSwitches,
  changeUserPage,
  removeUserPage,
  exportUserPage,
  allAppsPage,
  removeAnyAppPage,
  limitsPage,
  storePage,
]

/** The routes of all pages. */
export const allPages: readonly PageRoute[] = [
  startPage,
  createDocsPage(),
  { path: '/docs/', get: () => ({ see: '/docs' }) },
  docsCodePage,
  docsTryPage,
  docsErrorsPage,
  docsSchemasPage,
  ...signInRoutes,
  ...accountRoutes,
  ...adminRoutes.map((route) => ({ ...route, isForAdmins: true })),
  linkPage,
  registerPage,
]
