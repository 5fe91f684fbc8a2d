import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Fails unless the Tab key reaches everything on the page that can be used, and each shows that it has the focus. Of radio
 * buttons with one name the key reaches one; the arrow keys do the rest.
 */
export const walkByKeyboard = async (page: Page): Promise<void> => {
  const wanted = await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
    )
    const groups = new Set<string>()
    return [...all]
      .filter((element) => element.checkVisibility() && !element.matches(':disabled'))
      .filter((element) => {
        if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
        const isFirst = !groups.has(element.name)
        groups.add(element.name)
        return isFirst
      }).length
  })
  const reached: string[] = []
  const unseen: string[] = []
  for (let at = 0; at < wanted; at += 1) {
    await page.keyboard.press('Tab')
    const { name, isSeen } = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return { name: '', isSeen: false }
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const place = [...document.querySelectorAll('*')].indexOf(element)
      return {
        name: `${place} ${element.tagName} ${element.textContent?.slice(0, 30)}`,
        isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      }
    })
    reached.push(name)
    if (!isSeen) unseen.push(name)
  }
  expect({ page: page.url(), unseen, reached: new Set(reached).size }).toEqual({
    page: page.url(),
    unseen: [],
    reached: wanted,
  })
}
