import { mkdir } from 'node:fs/promises'
import { test } from 'vitest'
import { openStage } from './furnish-web.ts'
import { addLine, goTo } from './web-app-page.ts'
import { webScenes } from './web-scenes.ts'

test('shots', async () => {
  await mkdir('/tmp/shots-line', { recursive: true })
  const stage = await openStage()
  const scene = webScenes.find(({ name }) => name === 'list')
  if (scene === undefined) throw new Error('none')
  const page = await scene.open(stage)
  const looks = [
    ['desktop', 1440, 900],
    ['tablet', 820, 1180],
    ['phone', 390, 844],
    ['narrow', 320, 640],
  ] as const
  const shoot = async (name: string, dark = false) => {
    for (const [look, width, height] of looks) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.screenshot({ path: `/tmp/shots-line/${name}-${look}.png` })
      if (dark && look !== 'narrow') {
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.screenshot({ path: `/tmp/shots-line/${name}-${look}-dark.png` })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await addLine(page, 'Plan the garden #home/garden #todo', 'Plan the garden')
  await addLine(page, 'Fix the tap #home/kitchen', 'Fix the tap')
  const names = ['Red', 'Orange', 'Amber', 'Lime', 'Green', 'Teal', 'Cyan', 'Blue', 'Indigo', 'Purple', 'Pink', 'Gray']
  await goTo(page, 'Tags')
  await page.getByRole('button', { name: 'Inside home' }).click()
  const settings = page.getByRole('button', { name: /^Settings of/ })
  const count = await settings.count()
  for (let index = 0; index < Math.min(count, 12); index++) {
    await settings.nth(index).click()
    await page.getByRole('radio', { name: names[index] ?? 'Red', exact: true }).check()
    if (index < 3) await page.locator('.pin[aria-pressed]').nth(index).click()
    await settings.nth(index).click()
  }
  await shoot('tags', true)
  await settings.nth(1).click()
  await page.getByRole('radio', { name: 'Teal' }).focus()
  await shoot('tag-settings', true)
  await goTo(page, 'Items')
  await shoot('list', true)
  await page.getByLabel('New item').fill('Bread #')
  await page.getByLabel('New item').press('End')
  await page.getByRole('option').first().waitFor()
  await shoot('suggest', true)
  await page.getByLabel('New item').fill('')
  await page.getByLabel('New item').evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text/plain',
      '- one #home/garden\nhttps://two.example/a A second page to read #shop\n[] third line\nfour\nfive\nsix',
    )
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('heading', { name: 'Add 6 items?' }).waitFor()
  await shoot('pasted', true)
  await page.getByRole('button', { name: 'Cancel' }).click()
  const url = await page.evaluate(() => 'https://example.org/known')
  await addLine(page, `${url} A known page`, 'A known page')
  await page.getByLabel('New item').fill(url)
  await page.getByText(/You saved this/).waitFor()
  await shoot('known')
  await page.getByLabel('New item').fill('')
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  await page.locator('#bulk-tags').fill('home/garden -shop ho')
  await page.getByRole('option').first().waitFor()
  await shoot('bulk')
  await page.getByRole('button', { name: 'Select none' }).click()
  await page.getByRole('link', { name: 'Plan the garden' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Tags', { exact: true }).fill('g')
  await shoot('form', true)
})
