import { expect, test } from 'vitest'
import { openStage } from './furnish-web.ts'
import { judgePage } from './judge-page.ts'
import { webScenes } from './web-scenes.ts'

const stage = await openStage()

/** Without what changes from run to run, and nobody hears: the time of the day, and where links of the app lead. */
const steady = (tree: string): string =>
  tree.replace(/\d\d:\d\d:\d\d/gu, '12:34:56').replace(/^ *- \/url: \/.*\n/gmu, '')

// Read the trees through when they change: names, roles, headings and their order are what a screen reader says.
test.each(webScenes)(
  'everybody can use the screen $name, and a screen reader says what trees/ holds',
  async ({ name, open }) => {
    const page = await open(stage)

    const tree = await page.locator('html').ariaSnapshot()
    await expect(`# ${await page.title()}\n${steady(tree)}\n`).toMatchFileSnapshot(`trees/${name}.yaml`)
    await judgePage(page)
  },
)
