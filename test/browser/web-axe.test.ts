import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { openStage } from './furnish-web.ts'
import { walkByKeyboard } from './walk-by-keyboard.ts'
import { webScenes } from './web-scenes.ts'

const stage = await openStage()

/** "20 Nov" and "20. Nov. 2026", and not "90 days". */
const days =
  /\b\d{1,2}\.? (?:Jan|Feb|Mar|Mär|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez)\p{L}{0,6}(?:\.|\b)(?: \d{4})?/gu

/** Without what changes from run to run: days and times, where links lead, and what is said for ten seconds only. */
const steady = (tree: string): string =>
  tree
    .replace(/\d{4}-\d\d-\d\dT|\d\d:\d\d(?::\d\d)?/gu, 'a time ')
    .replace(days, 'a day')
    .replace(/:\n *- \/url: .*/gu, '')
    .replace(/^ {2}- status:\n(?: {4}.*\n)*/gmu, '  - status\n')

// Read the trees through when they change: names, roles, headings and their order are what a screen reader says.
test.each(webScenes)(
  'everybody can use the screen $name, also by the Tab key, and a screen reader says what trees/ holds',
  async ({ name, open }) => {
    const page = await open(stage)

    const tree = await page.locator('html').ariaSnapshot()
    await expect(`# ${await page.title()}\n${steady(tree)}\n`).toMatchFileSnapshot(`trees/${name}.yaml`)
    await checkPage(page)
    await walkByKeyboard(page)
  },
)
