import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addLine, allSaved, listedItems, listTitles, openSignedIn, openWebServer, seeState } from './web-app-page.ts'

/** The ways of a user's hands: each key and each click counts one, and so does a whole typed or pasted text. */
const createHands = (page: Page) => {
  let count = 0
  return {
    press: async (key: string) => {
      count += 1
      await page.keyboard.press(key)
    },
    click: async (target: Locator) => {
      count += 1
      await target.click()
    },
    type: async (text: string) => {
      count += 1
      await page.keyboard.insertText(text)
    },
    choose: async (name: string, content: string) => {
      count += 1
      await page
        .getByLabel('Files to import')
        .setInputFiles({ name, mimeType: 'text/html', buffer: Buffer.from(content) })
    },
    count: () => count,
  }
}
type Hands = ReturnType<typeof createHands>

interface Task {
  readonly name: string
  /** The maximum number of keys and clicks. */
  readonly desktop: number
  readonly phone: number
  /** Does the task, and resolves when the user sees the result. */
  readonly carryOut: (page: Page, hands: Hands, isPhone: boolean) => Promise<unknown>
}

const row = (page: Page, title: string) =>
  listedItems(page).filter({ has: page.getByRole('link', { name: title, exact: true }) })
const add = (page: Page, hands: Hands, isPhone: boolean) =>
  isPhone ? hands.click(page.getByRole('button', { name: 'Add', exact: true })) : hands.press('n')
/** Gives an item of the list the focus, from which the keys of the task are counted. */
const focus = (page: Page, title: string) => row(page, title).getByRole('link').first().focus()

const bookmarks = Array.from(
  { length: 300 },
  (_, index) => `<DT><A HREF="https://import.example/${index}">Imported ${index}</A>`,
).join('\n')

// The numbers for the desktop are those of the review of the design, where the first use cost nothing more. A phone has
// no keys, so some tasks need the menu of an item.
const tasks: readonly Task[] = [
  {
    name: 'add a URL',
    desktop: 3,
    phone: 3,
    carryOut: async (page, hands, isPhone) => {
      await add(page, hands, isPhone)
      await hands.type('https://example.org/trains')
      await hands.press('Enter')
      await listedItems(page).getByText('example.org').first().waitFor()
    },
  },
  {
    name: 'add a to-do, the first of the account',
    desktop: 3,
    phone: 3,
    carryOut: async (page, hands, isPhone) => {
      await add(page, hands, isPhone)
      await hands.type('Buy milk #todo')
      await hands.press('Enter')
      await listedItems(page).getByLabel('Done: Buy milk').waitFor()
    },
  },
  {
    name: 'tick it',
    desktop: 1,
    phone: 1,
    carryOut: async (page, hands) => {
      await hands.click(listedItems(page).getByLabel('Done: Buy milk'))
      await listedItems(page).getByRole('checkbox', { name: 'Done: Buy milk', checked: true }).waitFor()
    },
  },
  {
    name: 'tag an item',
    desktop: 3,
    phone: 4,
    carryOut: async (page, hands, isPhone) => {
      if (isPhone) {
        await hands.click(row(page, 'Ferns'))
        await hands.click(page.getByRole('button', { name: /tags$/iu }).last())
      } else {
        await focus(page, 'Ferns')
        await hands.press('#')
      }
      await hands.type('home')
      await hands.press('Enter')
      await (isPhone ? page.locator('.thing') : row(page, 'Ferns'))
        .locator('.tag', { hasText: 'home' })
        .first()
        .waitFor()
    },
  },
  {
    name: 'find an item',
    desktop: 2,
    phone: 2,
    carryOut: async (page, hands, isPhone) => {
      if (isPhone) await hands.click(page.getByLabel('Search').first())
      else await hands.press('/')
      await hands.type('lentil')
      await expect.poll(() => listTitles(page)).toEqual(['Lentil soup'])
    },
  },
  {
    name: 'edit a note',
    desktop: 4,
    phone: 4,
    carryOut: async (page, hands) => {
      await hands.click(row(page, 'Soup note'))
      await hands.click(page.locator('.thing .prose').getByText('Two onions'))
      await page.getByRole('textbox', { name: 'Note', exact: true }).waitFor()
      await hands.type(', and cumin')
      await hands.press('Control+Enter')
      await page.locator('.thing > .prose').getByText('and cumin').waitFor()
    },
  },
  {
    name: 'archive an item',
    desktop: 1,
    phone: 2,
    carryOut: async (page, hands, isPhone) => {
      if (isPhone) {
        await hands.click(row(page, 'Old'))
        await hands.click(page.getByRole('button', { name: 'Archive' }))
        await page.getByRole('button', { name: 'Unarchive' }).waitFor()
      } else {
        await focus(page, 'Old')
        await hands.press('a')
        await row(page, 'Old').waitFor({ state: 'detached' })
      }
    },
  },
  {
    name: 'delete an item and undo it',
    desktop: 2,
    phone: 3,
    carryOut: async (page, hands, isPhone) => {
      if (isPhone) {
        await hands.click(row(page, 'Mistake'))
        await hands.click(page.getByRole('button', { name: 'Delete' }))
      } else {
        await focus(page, 'Mistake')
        await hands.press('Delete')
      }
      await row(page, 'Mistake').waitFor({ state: 'detached' })
      if (isPhone) await hands.click(page.getByRole('button', { name: 'Undo' }))
      else await hands.press('z')
      await row(page, 'Mistake').waitFor()
    },
  },
  {
    name: 'open a bookmark',
    desktop: 1,
    phone: 2,
    carryOut: async (page, hands, isPhone) => {
      const opened = page.context().waitForEvent('page')
      await hands.click(
        isPhone ? row(page, 'Trains') : row(page, 'Trains').getByRole('link', { name: 'Trains', exact: true }),
      )
      if (isPhone) await hands.click(page.locator('.thing .head').getByRole('link', { name: 'Open', exact: true }))
      await (await opened).close()
    },
  },
  {
    name: 'import 300 bookmarks',
    desktop: 3,
    phone: 4,
    carryOut: async (page, hands, isPhone) => {
      if (isPhone) await hands.click(page.getByRole('link', { name: 'More screens', exact: true }))
      await hands.click(page.getByRole('link', { name: 'Import and export' }).first())
      await hands.choose('bookmarks.html', `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${bookmarks}\n</DL><p>`)
      await hands.click(page.getByRole('button', { name: 'Import 300 items' }))
      await page.getByRole('heading', { name: 'Import result' }).waitFor()
    },
  },
]

const windows = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const

test.each(windows)(
  'ten tasks on a $name need no more keys and clicks than planned',
  async ({ name, width, height }) => {
    const isPhone = name === 'phone'
    const { home } = await openWebServer()
    const { page } = await openSignedIn(home, '', /^Applying inline style violates|ERR_|Failed to load/, {
      width,
      height,
    })
    const lines = ['https://example.net/ Trains', 'Ferns', 'Lentil soup', 'Old', 'Mistake', 'Soup note']
    for (const line of lines) await addLine(page, line, line.replace('https://example.net/ ', ''))
    await row(page, 'Soup note').click()
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page.getByRole('textbox', { name: 'Note', exact: true }).waitFor()
    await page.keyboard.insertText('Two onions')
    await page.keyboard.press('Control+Enter')
    await page.locator('.thing > .prose').getByText('Two onions').waitFor()

    const figures: { task: string; most: number; actions: number; milliseconds: number }[] = []
    for (const { name: task, carryOut, ...most } of tasks) {
      await page.goto(home)
      await listedItems(page).first().waitFor()
      await seeState(page, allSaved)
      const hands = createHands(page)
      const begin = performance.now()
      await carryOut(page, hands, isPhone)
      const milliseconds = Math.round(performance.now() - begin)
      figures.push({ task, most: most[name], actions: hands.count(), milliseconds })
    }

    if (process.env.THINGSYNC_TASK_FIGURES !== undefined) console.table(figures)
    expect(figures.filter(({ actions, most }) => actions > most)).toEqual([])
  },
)
