import { expect, test } from 'vitest'
import { openPage } from './open-page.ts'
import {
  addThing,
  allSaved,
  goOffline,
  isReadyForOffline,
  listedItems,
  listTitles,
  openSignedIn,
  openWebServer,
  seeState,
} from './web-app-page.ts'

test('a sign-in on the server’s page leads back to the app, with nothing of the sign-in in its URL', async () => {
  const { home } = await openWebServer()

  const { page } = await openSignedIn(home, '?q=milk')

  expect(page.url()).toBe(`${home}?q=milk`)
  await addThing(page, 'Buy milk')
  await page.reload()
  await listedItems(page).getByText('Buy milk').waitFor()
})

test('two browsers edited offline are equal once online, and equal to a third that starts empty', async () => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home)
  await addThing(phone.page, 'made together')
  await listedItems(laptop.page).getByText('made together').waitFor()

  await goOffline(phone.page)
  await goOffline(laptop.page)
  for (const number of [1, 2, 3]) {
    await addThing(phone.page, `phone ${number}`)
    await addThing(laptop.page, `laptop ${number}`)
  }
  await seeState(phone.page, 'No connection. 3 changes wait for the network.')
  await seeState(laptop.page, 'No connection. 3 changes wait for the network.')
  await phone.context.setOffline(false)
  await laptop.context.setOffline(false)
  await seeState(phone.page, allSaved)
  await seeState(laptop.page, allSaved)
  await listedItems(phone.page).nth(6).waitFor()
  await listedItems(laptop.page).nth(6).waitFor()
  const third = await openSignedIn(home)
  await listedItems(third.page).nth(6).waitFor()

  const all = ['laptop 1', 'laptop 2', 'laptop 3', 'made together', 'phone 1', 'phone 2', 'phone 3']
  expect(await listTitles(phone.page)).toEqual(all)
  expect(await listTitles(laptop.page)).toEqual(all)
  expect(await listTitles(third.page)).toEqual(all)
})

test('from the second visit on it starts without the network, and what is added then is sent later', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'before')
  await isReadyForOffline(page)
  await seeState(page, allSaved)

  await goOffline(page)
  await page.close()
  const second = await context.newPage()
  await second.goto(home)
  await addThing(second, 'on a train')
  await seeState(second, 'No connection. 1 change waits for the network.')
  const offline = await listTitles(second)
  await context.setOffline(false)
  await seeState(second, allSaved)

  expect(offline).toEqual(['before', 'on a train'])
})

test('a page that dies while it saves opens again with everything that it had shown as kept', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await isReadyForOffline(page)
  await goOffline(page)
  for (const number of [1, 2, 3]) await addThing(page, `kept ${number}`)

  await page.getByLabel('New item').fill('cut off')
  const devtools = await context.newCDPSession(page)
  await page.getByLabel('New item').press('Enter', { noWaitAfter: true })
  const crashed = page.waitForEvent('crash')
  devtools.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
  const again = await context.newPage()
  await again.goto(home)
  await listedItems(again).getByText('kept 3').waitFor()
  const shown = await listTitles(again)
  await context.setOffline(false)
  await seeState(again, allSaved)

  expect(shown.filter((title) => title !== 'cut off')).toEqual(['kept 1', 'kept 2', 'kept 3'])
  expect(await listTitles(again)).toEqual(shown)
})

test('two windows show the edits of both at once, and one goes on when the other is closed', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)
  await addThing(page, 'in the first')

  const second = await context.newPage()
  await second.goto(home)
  await addThing(second, 'in the second')
  await listedItems(page).getByText('in the second').waitFor()
  await addThing(page, 'in the first again')
  await listedItems(second).getByText('in the first again').waitFor()
  await seeState(second, allSaved)
  await page.close()
  await addThing(second, 'alone')
  await seeState(second, allSaved)

  expect(await listTitles(second)).toEqual(['alone', 'in the first', 'in the first again', 'in the second'])
})

test('the app shows an error when the server denies access, and does not sign in by itself', async () => {
  const { home } = await openWebServer()
  const page = await openPage()
  await page.goto(home)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('User name').waitFor()
  const state = new URL(page.url()).searchParams.get('state')

  await page.goto(`${home}?error=access_denied&state=${state}`)

  expect(await page.getByRole('alert').innerText()).toBe('You did not allow access, so you are not signed in.')
  expect(page.url()).toBe(home)
})
