import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { openStage } from './furnish-web.ts'
import { savePicture } from './save-picture.ts'
import { webScenes } from './web-scenes.ts'

const folder = 'docs/pictures'

/** A telephone, and a small laptop. */
const looks = [
  { look: 'small', width: 360, height: 740 },
  { look: 'large', width: 1024, height: 680 },
] as const

const stage = await openStage()
await mkdir(folder, { recursive: true })

test.each(webScenes)(
  'pictures of the app: $name',
  async ({ name, open }) => {
    const page = await open(stage)
    for (const { look, width, height } of looks) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const png = await page.screenshot()
        await savePicture(join(folder, `web-${name}-${look}-${colorScheme}.png`), [{ png, milliseconds: 0 }])
      }
    }
  },
  120_000,
)
