import { expect, test } from 'vitest'
import {
  addLine,
  addThing,
  allSaved,
  goTo,
  listedItems,
  listTitles,
  openOverwritten,
  openSignedIn,
  openWebServer,
  seeList,
  seeState,
} from './web-app-page.ts'

test('a line becomes an item with tags and URL, and a line that was not added is restored later', async () => {
  const { home } = await openWebServer()
  const { context, page } = await openSignedIn(home)

  await addLine(page, 'https://example.com/a Read me #later #home', 'Read me')
  await page.getByLabel('New item').fill('half a sentence #ho')
  await page.close()
  const again = await context.newPage()
  await again.goto(home)

  await listedItems(again).getByRole('link', { name: 'Read me', exact: true }).waitFor()
  expect(await again.getByLabel('New item').inputValue()).toBe('half a sentence #ho')
  // After the sync, which takes the mark of a waiting edit away.
  const about = async () => (await listedItems(again).first().locator('.about').innerText()).replace(/\s+/gu, ' ')
  await expect.poll(about).toBe('example.com later home')
})

test('what another program shares waits in the line to be added, once', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)

  await page.goto(`${home}?title=A+page&url=https%3A%2F%2Fexample.com%2F`)
  await expect.poll(() => page.getByLabel('New item').inputValue()).toBe('https://example.com/ A page')
  await page.reload()

  await expect.poll(() => page.getByLabel('New item').inputValue()).toBe('https://example.com/ A page')
  expect(page.url()).toBe(home)
})

test('what is shared next stands alone in the line, and what stood there can be taken back', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const field = page.getByLabel('New item')

  await page.goto(`${home}?title=A&url=https%3A%2F%2Fa.example%2F`)
  await expect.poll(() => field.inputValue()).toBe('https://a.example/ A')
  await page.goto(`${home}?title=B&url=https%3A%2F%2Fb.example%2F`)
  await expect.poll(() => field.inputValue()).toBe('https://b.example/ B')
  await field.press('Enter')
  await listedItems(page).getByRole('link', { name: 'B', exact: true }).waitFor()
  await page.getByRole('button', { name: 'https://a.example/ A', exact: true }).click()

  await expect.poll(() => field.inputValue()).toBe('https://a.example/ A')
  expect(await page.getByText('Not added yet').count()).toBe(0)
})

test('a waiting line that the user removes stays away; typed text stays', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  const field = page.getByLabel('New item')

  await page.goto(`${home}?title=A&url=https%3A%2F%2Fa.example%2F${'long'.repeat(100)}`)
  await expect.poll(() => field.inputValue()).toContain('https://a.example/')
  await page.goto(`${home}?title=B&url=https%3A%2F%2Fb.example%2F`)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByText('Not added yet').waitFor()
  const remove = page.getByRole('button', { name: 'Remove: https://a.example/' })
  const right = await remove.evaluate((button) => button.getBoundingClientRect().right)
  await remove.click()
  await page.getByText('Not added yet').waitFor({ state: 'detached' })
  await page.reload()

  await expect.poll(() => field.inputValue()).toBe('https://b.example/ B')
  expect(await page.getByText('Not added yet').count()).toBe(0)
  expect(right).toBeLessThanOrEqual(360)
})

test('the search finds at each key, and back and forward go through what was looked at', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  for (const title of ['Milk', 'Crème', 'Cream']) await addThing(page, title)

  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('cre')
  await expect.poll(() => listTitles(page)).toEqual(['Cream', 'Crème'])
  await page.keyboard.type('a')
  await seeList(page, ['Cream'])

  expect(new URL(page.url()).search).toBe('?q=crea')
  await page.goBack()
  await expect.poll(() => listTitles(page)).toEqual(['Cream', 'Crème', 'Milk'])
  await page.goForward()
  await seeList(page, ['Cream'])
})

test('a todo is ticked off, struck through as its tag says, and both are taken back', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop', 'Milk')

  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByLabel('Checkboxes for shop').selectOption({ label: 'Checkbox, strike when done' })
  await goTo(page, 'Items')
  // The box shows what is kept, so it is ticked a moment after the click.
  await listedItems(page).getByLabel('Done: Milk').click()
  await page.locator('.windowed .struck').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.windowed .title:not(.struck)').waitFor()

  expect(await listedItems(page).getByLabel('Done: Milk').isChecked()).toBe(false)
  await goTo(page, 'History')
  await page.getByRole('listitem').filter({ hasText: 'settings of the tag shop' }).getByRole('button').click()
  await goTo(page, 'Items')
  await expect.poll(() => listedItems(page).getByLabel('Done: Milk').count()).toBe(0)
})

test('with the keyboard alone items are selected, tagged, archived, brought back, edited and deleted', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  for (const title of ['one', 'two', 'three']) await addThing(page, title)
  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }

  await keys('Escape', 'j', 'x', 'j', 'j', 'Shift+X')
  await page.getByText('3 items selected').waitFor()
  await keys('#')
  await page.keyboard.type('new')
  await keys('Enter')
  await expect.poll(() => listedItems(page).getByRole('link', { name: 'new', exact: true }).count()).toBe(3)
  await keys('Escape', 'Escape', 'j', 'a')
  await expect.poll(() => listedItems(page).count()).toBe(2)
  await keys('z')
  await expect.poll(() => listedItems(page).count()).toBe(3)
  await keys('j', 'e')
  await page.getByLabel('Title').waitFor()
  await page.keyboard.type(' and more')
  await keys('Enter')
  await listedItems(page).getByRole('link', { name: 'and more' }).waitFor()
  await keys('?')
  await page.getByRole('heading', { name: 'Help' }).waitFor()
})

test('text typed in the form of an item is restored after the tab was closed, and changes of others stay', async () => {
  const { home } = await openWebServer()
  const phone = await openSignedIn(home)
  const laptop = await openSignedIn(home)
  await addThing(phone.page, 'Plan')
  await listedItems(laptop.page).getByRole('link', { name: 'Plan' }).click()
  await laptop.page.getByRole('button', { name: 'Edit' }).click()
  await laptop.page.getByLabel('Note').fill('first\nsecond <b>')
  const address = laptop.page.url()

  await listedItems(phone.page).getByRole('link', { name: 'Plan' }).click()
  await phone.page.getByRole('button', { name: 'Edit' }).click()
  await phone.page.getByLabel('Title').fill('Better plan')
  await phone.page.getByRole('button', { name: 'Save' }).click()
  await laptop.page.close()
  const again = await laptop.context.newPage()
  await again.goto(address)
  await again.getByText('Your unsaved text is restored').waitFor()
  await again.getByRole('button', { name: 'Save' }).click()

  await seeState(again, allSaved)
  await phone.page.goto(address.replace('&edit=', ''))
  await expect.poll(() => phone.page.locator('.prose p').allInnerTexts()).toEqual(['first', 'second <b>'])
  expect(await phone.page.getByRole('heading', { level: 1 }).last().innerText()).toBe('Better plan')
})

test('text that another device has overwritten is seen and taken back', async () => {
  const phone = await openOverwritten()
  await listedItems(phone.page).getByRole('link', { name: 'Other words' }).click()
  await phone.page.locator('.versions').getByText('Replaced by an edit on another device').waitFor()
  await phone.page.getByRole('button', { name: 'Restore this version' }).click()

  await phone.page.getByRole('heading', { name: 'My words' }).waitFor()
  await goTo(phone.page, 'History')
  await phone.page.getByRole('heading', { name: 'History' }).waitFor()
  await expect.poll(() => phone.page.locator('section.note').count()).toBe(0)
})

test('a tag is renamed on all its items, and merged into another', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  for (const [line, title] of [
    ['a #old', 'a'],
    ['b #old #new', 'b'],
  ] as const)
    await addLine(page, line, title)

  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of old' }).click()
  await page.getByLabel('New name of old').fill('new')
  await page.getByRole('button', { name: 'Merge into new' }).click()
  await page.locator('.tag-line').getByRole('img', { name: '2 items' }).waitFor()

  await expect.poll(() => page.locator('.tag-line').count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.locator('.tag-line').count()).toBe(2)
})

test('a tag is removed from all its items, which one undo takes back', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'a #old', 'a')
  await addLine(page, 'b #old #new', 'b')

  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of old' }).click()
  await page.getByRole('button', { name: 'Remove from all 2 items' }).click()

  await expect.poll(() => page.locator('.tag-line').count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.locator('.tag-line').count()).toBe(2)
})

test('a note that wants to run, load, frame or pose as a part of the app does nothing of it', async () => {
  const { home } = await openWebServer()
  // The policy holds where the note is taken apart, too, and says so.
  const { page } = await openSignedIn(home, '', /Content Security Policy directive/)
  const requested: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(home)) requested.push(request.url())
  })
  await addThing(page, 'hostile')
  await listedItems(page).getByRole('link', { name: 'hostile' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Edit as HTML' }).click()
  await page.getByLabel('The note as HTML').fill(
    `<p id="content" style="position:fixed" onclick="alert(1)">text</p><script>document.title='run'</script>
    <img src=x onerror="document.title='run'"><img src="https://evil.example/a.png" alt="picture">
    <svg onload="document.title='run'"><a href="javascript:1">s</a></svg><iframe src="https://evil.example/"></iframe>
    <a href="javascript:document.title='run'">link</a><form action="https://evil.example/"><button>Sign in</button></form>
    <math><mtext><table><mglyph><style><img src=x onerror="document.title='run'">`,
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Images are not loaded').waitFor()

  expect(await page.locator('.prose').evaluate((note) => note.innerHTML.replace(/\s+/gu, ' ').trim())).toBe(
    '<p>text</p> picture <a>link</a>Sign in',
  )
  expect([await page.title(), requested]).toEqual(['hostile · thingsync', []])
})
