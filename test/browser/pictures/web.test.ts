import { test } from 'vitest'
import { openStage } from '../furnish-web.ts'
import { savePicture } from '../save-picture.ts'
import { webScenes } from '../web-scenes.ts'

/** A phone, and a small laptop. */
const looks = [
  { look: 'small', width: 360, height: 740 },
  { look: 'large', width: 1024, height: 680 },
] as const

const stage = await openStage()

test.each(webScenes)(
  'pictures of the app: $name',
  async ({ name, width: ownWidth, open }) => {
    const page = await open(stage)
    // Nothing is hovered on by chance.
    await page.mouse.move(0, 0)
    // Another language is for where words are long and room is short.
    const isGerman = name.endsWith('-german')
    const own = ownWidth === undefined ? looks : [{ look: 'wide', width: ownWidth, height: 800 }]
    for (const { look, width, height } of isGerman ? looks.slice(0, 1) : own) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of isGerman ? (['light'] as const) : (['light', 'dark'] as const)) {
        await page.emulateMedia({ colorScheme })
        const png = await page.screenshot()
        await savePicture(`web-${name}-${look}-${colorScheme}.png`, [{ png, milliseconds: 0 }])
      }
    }
  },
  300_000,
)
