import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Fields for dates are several stops: one for each part, and one for the calendar, which the browser draws itself. */
const stopsWithin = 10

/**
 * Fails unless the Tab key reaches everything on the page that can be used, in the order in which it is read, each shows that it
 * has the focus, and after the last one the key leads out again. Of radio buttons with one name, and of the buttons of a
 * toolbar, the key reaches one; the arrow keys do the rest.
 */
export const walkByKeyboard = async (page: Page): Promise<void> => {
  const wanted = await page.evaluate(() => {
    // From the top, wherever the focus was.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], [contenteditable="true"]',
    )
    const groups = new Set<string>()
    return (
      [...all]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'))
        .filter((element) => element.closest('[role=toolbar]') === null || element.tabIndex >= 0)
        // What is being written is one stop.
        .filter((element) => element.parentElement?.closest('[contenteditable="true"]') === null)
        .filter((element) => {
          if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
          const isFirst = !groups.has(element.name)
          groups.add(element.name)
          return isFirst
        }).length
    )
  })
  const reached: { readonly index: number; readonly name: string }[] = []
  const unseen: string[] = []
  let isOut = false
  for (let step = 0; !isOut && step <= wanted + stopsWithin; step += 1) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return undefined
      const hasOutline = (shown: Element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(shown)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      }
      const index = [...document.querySelectorAll('*')].indexOf(element)
      return {
        index,
        name: `${index} ${element.tagName} ${element.textContent?.slice(0, 30)}`,
        // A field that holds more than its text has the outline around all of it.
        isSeen: [element, element.closest('.tag-field') ?? element].some(hasOutline),
      }
    })
    isOut = found === undefined
    if (found === undefined || found.name === reached.at(-1)?.name) continue
    reached.push(found)
    if (!found.isSeen) unseen.push(found.name)
  }
  const outOfOrder = reached.filter(({ index }, at) => index < (reached[at - 1]?.index ?? 0)).map(({ name }) => name)
  expect({ page: page.url(), unseen, outOfOrder, isOut, reached: reached.length }).toEqual({
    page: page.url(),
    unseen: [],
    outOfOrder: [],
    isOut: true,
    reached: wanted,
  })
}
