import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const grave = new Set(['serious', 'critical'])

/** The widths and schemes that every page is looked at in. */
const looks = [360, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

const describe = ({ id, nodes }: Result): string =>
  `${id}: ${nodes.map(({ html, failureSummary }) => `${html} (${failureSummary})`).join('; ')}`

/** What axe finds serious on the page as it is. */
const listGraveFindings = async (page: Page, scheme: 'light' | 'dark'): Promise<string[]> => {
  // The dark differs in colours alone, and a whole look at a large page takes seconds.
  const rules = scheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
  const settings = { resultTypes: ['violations'], ...rules }
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(settings)})`)) as AxeResults
  return violations.filter(({ impact }) => grave.has(impact ?? '')).map(describe)
}

/** The elements that are wider than the window and do not scroll by themselves. */
const listWideElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`)
  })

/**
 * Fails unless everybody can use the page: nothing that axe calls serious, and no scrolling sideways, at 360 and 1280
 * pixels, light and dark. Leaves the window at the last of them.
 */
export const checkPage = async (page: Page): Promise<void> => {
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme })
    const found = { grave: await listGraveFindings(page, scheme), wide: await listWideElements(page) }
    expect({ page: page.url(), width, scheme, ...found }).toEqual({
      page: page.url(),
      width,
      scheme,
      grave: [],
      wide: [],
    })
  }
}
