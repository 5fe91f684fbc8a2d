import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { createKeyboard } from './keyboard.ts'
import { openPage } from './open-page.ts'
import { walkByKeyboard } from './walk-by-keyboard.ts'

/** A page with nothing wrong but what stands in it. */
const around = (content: string, style = '') =>
  `<!doctype html><html lang="en"><title>t</title><meta name="viewport" content="width=device-width"><style>:focus-visible { outline: 3px solid } ${style}</style><main><h1>Title</h1>${content}</main></html>`

test.each([
  ['a picture without words', '<img src="data:,">', ''],
  ['pale text', '<p>pale</p>', 'p { color: #ccc }'],
  ['text that is pale in the dark only', '<p>pale</p>', '@media (prefers-color-scheme: dark) { p { color: #ccc } }'],
  ['a box that is too wide for a phone', '<p>wide</p>', 'p { width: 400px }'],
])('%s is found', async (_what, content, style) => {
  const page = await openPage()
  await page.setContent(around(content, style))

  await expect(checkPage(page)).rejects.toThrow()
})

test.each([
  ['a link that the Tab key passes by', '<a href="/" tabindex="-1">one</a>', ''],
  ['a button that does not show that it has the focus', '<button>one</button>', 'button { outline: none !important }'],
  ['an order that is not the one of reading', '<a href="/">one</a> <button tabindex="1">two</button>', ''],
])('%s is found', async (_what, content, style) => {
  const page = await openPage()
  await page.setContent(around(content, style))

  await expect(walkByKeyboard(page)).rejects.toThrow()
})

test('a page with nothing wrong passes both', async () => {
  const page = await openPage()
  await page.setContent(around('<a href="/">one</a> <button>two</button>'))

  await walkByKeyboard(page)
  await checkPage(page)
})

test.each([
  ['a button that no key leads to', '<a href="/">on</a><button tabindex="-1">go</button>', '', 'does not lead to'],
  [
    'a way past what does not show the focus',
    '<a href="/">on</a><button>go</button>',
    'a { outline: none !important }',
    'outline',
  ],
  [
    'a button that gets the focus out of sight',
    '<button>go</button>',
    'button { position: fixed; left: -99px }',
    'out of',
  ],
])('by keyboard %s is found', async (_what, content, style, finding) => {
  const page = await openPage()
  await page.setContent(around(content, style))

  await expect(createKeyboard(page).press(page.locator('button'))).rejects.toThrow(finding)
})
