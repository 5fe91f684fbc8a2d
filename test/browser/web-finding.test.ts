import { expect, test } from 'vitest'
import { addLine, goTo, listedItems, openSignedIn, openWebServer, seeTitles } from './web-app-page.ts'

test('every operator of the search finds what it says, and its URL shows the same again', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Oat milk #shop', 'Oat milk')
  await addLine(page, 'Milk with oat #Farm', 'Milk with oat')
  await addLine(page, 'https://example.com/porridge Breakfast #home/kitchen', 'Breakfast')
  await addLine(page, 'Bread #shop', 'Bread')
  await addLine(page, 'Old bread', 'Old bread')
  await listedItems(page).getByRole('link', { name: 'Old bread' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Note').fill('from the Bäckerei')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Settings of shop' }).click()
  await page.getByLabel('Checkboxes for shop').selectOption({ label: 'Checkbox' })
  await goTo(page, 'Items')
  await listedItems(page).getByLabel('Done: Bread').click()
  await listedItems(page).getByRole('checkbox', { name: 'Done: Bread', checked: true }).waitFor()

  const found: readonly (readonly [query: string, titles: readonly string[]])[] = [
    ['milk oat', ['Milk with oat', 'Oat milk']],
    ['"oat milk"', ['Oat milk']],
    ['"oat mi', ['Oat milk']],
    ['mil', ['Milk with oat', 'Oat milk']],
    ['MILK -with', ['Oat milk']],
    ['milk -"oat milk"', ['Milk with oat']],
    ['#shop', ['Bread', 'Oat milk']],
    ['#farm', ['Milk with oat']],
    ['-#shop', ['Breakfast', 'Milk with oat']],
    ['porridge', ['Breakfast']],
    ['kitchen', ['Breakfast']],
    ['#home', ['Breakfast']],
    ['is:todo', ['Bread', 'Oat milk']],
    ['is:open', ['Oat milk']],
    ['is:done', ['Bread']],
    ['is:todo -is:done', ['Oat milk']],
    ['is:archived', ['Old bread']],
    ['is:archived backerei', ['Old bread']],
    ['backerei', []],
    ['is:unknown', []],
  ]
  for (const [query, titles] of found) {
    await page.getByLabel('Search').fill(query)
    await seeTitles(page, titles)
    expect(new URL(page.url()).searchParams.get('q')).toBe(query)
  }
  const address = `${home}?q=${encodeURIComponent('milk -"oat milk"')}`
  await page.goto(address)
  await seeTitles(page, ['Milk with oat'])
  expect(await page.getByLabel('Search').inputValue()).toBe('milk -"oat milk"')
})

test('no key is lost in the search, however fast they come', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)

  // Between two keys the page gets every chance to draw, and none.
  const typed = await page.getByLabel('Search').evaluate(async (field: HTMLInputElement) => {
    const waits = [
      () => undefined,
      () => Promise.resolve(),
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
      () => new Promise((resolve) => setTimeout(resolve)),
      () => new Promise((resolve) => setTimeout(resolve, 20)),
    ]
    let wanted = ''
    for (let key = 0; key < 200; key++) {
      const letter = String.fromCharCode(97 + (key % 26))
      wanted += letter
      field.value += letter
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await waits[key % waits.length]?.()
    }
    return { wanted, value: field.value }
  })

  expect(typed.value).toBe(typed.wanted)
})

test('back and forward go through views, and an item leads back to its list as it was left', async () => {
  const { home } = await openWebServer()
  const { page } = await openSignedIn(home)
  await addLine(page, 'Milk #shop', 'Milk')
  await addLine(page, 'Bread #shop', 'Bread')
  await addLine(page, 'Garden', 'Garden')

  await page.getByLabel('Search').fill('#shop')
  await seeTitles(page, ['Bread', 'Milk'])
  await listedItems(page).getByRole('link', { name: 'Milk' }).click()
  await page.getByRole('heading', { name: 'Milk' }).waitFor()
  await goTo(page, 'Tags')
  await page.getByRole('heading', { name: 'Tags' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Milk' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Milk' }).waitFor()
  await page.goBack()
  await seeTitles(page, ['Bread', 'Milk'])
  expect(await page.getByLabel('Search').inputValue()).toBe('#shop')
  await page.goBack()
  await seeTitles(page, ['Garden', 'Bread', 'Milk'])
  await page.goForward()
  await page.goForward()

  await page.getByRole('heading', { name: 'Milk' }).waitFor()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await seeTitles(page, ['Bread', 'Milk'])
})
