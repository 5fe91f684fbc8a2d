import type { Page } from 'playwright-core'

/** Fills in the sign-in page, and sends it. */
export const signIn = async (page: Page, username: string, password = 'correct horse'): Promise<void> => {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
