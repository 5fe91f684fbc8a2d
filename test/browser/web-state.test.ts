import { expect, test } from 'vitest'
import { openGate, type Verdict } from './open-gate.ts'
import {
  addThing,
  allSaved,
  goOffline,
  goTo,
  listedItems,
  openSignedIn,
  openWebServer,
  seeState,
} from './web-app-page.ts'

test('the state line says what is so, and offers what helps, in each state', async () => {
  const { home } = await openWebServer()
  const gate = await openGate(home)
  const { context, page } = await openSignedIn(gate.home, '', /ERR_|status of 50[03]/u)
  await seeState(page, allSaved)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const isUpload = (path: string, method: string) => method === 'POST' && path.startsWith('/v1/sync')

  gate.setRule(async (path, method): Promise<Verdict> => {
    if (isUpload(path, method)) await held
    return 'pass'
  })
  await addThing(page, 'slow')
  await seeState(page, 'Saved here; 1 change on the way to the server.')
  letGo()
  await seeState(page, allSaved)
  gate.setRule((path) =>
    path.startsWith('/v1/')
      ? {
          status: 503,
          headers: { 'retry-after': '3600' },
          body: '{"error":"unavailable","error_description":"at rest"}',
        }
      : 'pass',
  )
  await addThing(page, 'patient')
  await page
    .getByRole('status')
    .getByText(/^The server is busy. The next try is at \d\d:\d\d:\d\d\.$/u)
    .waitFor()
  gate.setRule((path) =>
    path.startsWith('/v1/')
      ? { status: 500, body: '{"error":"server_error","error_description":"It is out of order."}' }
      : 'pass',
  )
  // The next try by itself is an hour away.
  await page.getByRole('button', { name: 'Try now' }).click()
  await seeState(
    page,
    'The server has a problem. 1 change waits until it is solved. The server says: It is out of order.',
  )
  gate.setRule(() => 'drop')
  await seeState(page, 'No connection. 1 change waits for the network.')
  gate.setRule(() => 'pass')
  await seeState(page, allSaved)
  await goOffline(page)
  await seeState(page, 'No connection. Everything is saved here.')
  await context.setOffline(false)
  await seeState(page, allSaved)
  gate.setRule(async (path): Promise<Verdict> => {
    if (path.startsWith('/v1/')) await new Promise(() => undefined)
    return 'pass'
  })
  await page.reload()
  await seeState(page, 'Connecting to the server.')

  await expect.poll(() => listedItems(page).count()).toBe(2)
})

test('signing out keeps the data, unless the user has it deleted; it asks again where edits wait', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'kept')
  await seeState(page, allSaved)

  await goTo(page, 'Settings')
  await page.getByLabel('When signing out, remove my items from this device').uncheck()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await seeState(page, 'Signed out. Your saved items stay here.')
  await page.getByText('Signed out. The items of anna are still on this device.').waitFor()
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
  expect(await page.getByRole('main').getByRole('button', { name: 'Sign in' }).count()).toBe(1)
  await goTo(page, 'Items')
  await addThing(page, 'still kept')

  await seeState(page, 'Signed out. Your 1 change is kept.')
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Remove everything from this device' }).click()
  const requested = await page.getByRole('alert').filter({ hasText: 'lost' }).innerText()
  await page.getByRole('button', { name: 'Remove everything from this device' }).click()
  await page.getByRole('heading', { name: 'Your notes, to-dos and links, wherever you are' }).waitFor()

  expect(requested).toBe(
    '1 change is not on the server yet and would be lost. Press the button again to remove everything anyway.',
  )
  await page.close()
  const again = await context.newPage()
  await again.goto(home)
  await again.getByRole('heading', { name: 'Your notes, to-dos and links, wherever you are' }).waitFor()
})

test('unsaved text in a form also counts as lost before everything is deleted from the browser', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addThing(page, 'saved')
  await seeState(page, allSaved)

  await listedItems(page).getByRole('link', { name: 'saved' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Tags').fill('typed-for-long')
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Sign out' }).click()

  await page.getByText('1 change is not on the server yet and would be lost.', { exact: false }).waitFor()
})
