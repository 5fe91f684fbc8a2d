import { exportAccount } from '../export-account.ts'
import { forSignedIn } from '../guards.ts'
import type { PageRoute } from '../page.ts'
import { PageRefused } from '../page-refused.ts'

/** `/account/export`: the person's own things, to take along. */
export const exportPage: PageRoute = {
  path: '/account/export',
  get: forSignedIn(async ({ signedIn }, tools) => {
    const user = await tools.store.registry.findUser(signedIn.userId)
    if (user === undefined) throw new PageRefused('unknown')
    return exportAccount(tools, user)
  }),
}
