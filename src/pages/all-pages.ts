import { accountPage } from './account/account-page.tsx'
import { appPage, newSecretPage, removeAppPage } from './account/app-page.tsx'
import { appsPage, leaveAppPage } from './account/apps-page.tsx'
import { deliveryPage, newWebhookSecretPage } from './account/delivery-page.tsx'
import { exportPage } from './account/export-page.ts'
import { newAppPage } from './account/new-app-page.tsx'
import { passwordPage } from './account/password-page.tsx'
import { endOtherSessionsPage, endSessionPage, sessionsPage } from './account/sessions-page.tsx'
import { revokeTokenPage, tokensPage } from './account/tokens-page.tsx'
import { adminPage } from './admin/admin-page.tsx'
import { allAppsPage, removeAnyAppPage } from './admin/apps-page.tsx'
import { changePersonPage } from './admin/change-person-page.tsx'
import { limitsPage } from './admin/limits-page.tsx'
import { invitePage, peoplePage, withdrawPage } from './admin/people-page.ts'
import { passwordLinkPage, personPage, personSwitches } from './admin/person-page.ts'
import { exportPersonPage, removePersonPage } from './admin/remove-person-page.tsx'
import { storePage } from './admin/store-page.tsx'
import { docsCodePage } from './docs-code-page.tsx'
import { createDocsPage } from './docs-page.tsx'
import { docsRefusalsPage } from './docs-refusals-page.tsx'
import { docsShapesPage } from './docs-shapes-page.tsx'
import { docsTryPage } from './docs-try-page.tsx'
import { flowPages } from './flow/flow-pages.ts'
import { linkPage } from './link-page.tsx'
import type { PageRoute } from './page.ts'
import { registerPage } from './register-page.tsx'
import { startPage } from './start-page.tsx'

const account: readonly PageRoute[] = [
  accountPage,
  sessionsPage,
  endSessionPage,
  endOtherSessionsPage,
  passwordPage,
  appsPage,
  leaveAppPage,
  newAppPage,
  appPage,
  newSecretPage,
  removeAppPage,
  tokensPage,
  revokeTokenPage,
  deliveryPage,
  newWebhookSecretPage,
  exportPage,
]

const admin: readonly PageRoute[] = [
  adminPage,
  peoplePage,
  invitePage,
  withdrawPage,
  personPage,
  passwordLinkPage,
  ...personSwitches,
  changePersonPage,
  removePersonPage,
  exportPersonPage,
  allAppsPage,
  removeAnyAppPage,
  limitsPage,
  storePage,
]

/** Every page of the server; each is a file of its own. */
export const allPages: readonly PageRoute[] = [
  startPage,
  createDocsPage(),
  { path: '/docs/', get: () => ({ see: '/docs' }) },
  docsCodePage,
  docsTryPage,
  docsRefusalsPage,
  docsShapesPage,
  ...flowPages,
  ...account,
  ...admin.map((route) => ({ ...route, isForAdmins: true })),
  linkPage,
  registerPage,
]
