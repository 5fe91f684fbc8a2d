import type { Locator, Page } from 'playwright-core'

/** A user with a keyboard and no mouse, in front of a page. */
export interface Keyboard {
  /** Goes to an element by the Tab key, or by Shift and Tab; the focus is seen at every step on the way. */
  readonly reach: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Goes to a link, a button or what unfolds, and presses Enter there. */
  readonly press: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Goes to a box or a button, and presses the space bar there. */
  readonly space: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Goes to a field, and replaces its text. */
  readonly type: (target: Locator, text: string) => Promise<void>
  /** Goes to a field to copy from, selects all of it, and gives what is selected. */
  readonly select: (target: Locator) => Promise<string>
  /** Waits until the page says something. */
  readonly sees: (text: string | RegExp) => Promise<void>
}

interface Focus {
  readonly name: string
  readonly wrong: string
  readonly isThere: boolean
}

const maxSteps = 120

/** What has the focus, what is wrong with how it is seen, and whether it is the one that was looked for. */
const describeFocus = (target: Locator): Promise<Focus> =>
  target.evaluate((wanted) => {
    const element = document.activeElement
    const isThere = element === wanted
    // Between the last element and the first one the focus is in the browser's own bar.
    if (element === null || element === document.body) return { name: 'the browser', wrong: '', isThere }
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && right - left > 1
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    const index = [...document.querySelectorAll('*')].indexOf(element)
    const name = `${index} ${element.tagName} ${element.textContent?.trim().slice(0, 40)}`
    return { name, isThere, wrong: `${isInWindow ? '' : 'out of the window'}${hasOutline ? '' : 'without an outline'}` }
  })

/** A keyboard for a page. Nothing of it touches the page but by keys. */
export const createKeyboard = (page: Page): Keyboard => {
  const { keyboard } = page
  const reach: Keyboard['reach'] = async (target, key = 'Tab') => {
    await target.waitFor()
    const passed: string[] = []
    for (let step = 0; step < maxSteps; step += 1) {
      await keyboard.press(key)
      const { name, wrong, isThere } = await describeFocus(target)
      if (wrong !== '') throw new Error(`on ${page.url()} the focus on ${name} is ${wrong}`)
      if (isThere) return
      passed.push(name)
      // Twice around is everything that there is.
      if (passed.filter((one) => one === passed[0]).length > 2) break
    }
    throw new Error(`${key} does not lead to ${target} on ${page.url()}, only to ${passed.join(', ')}`)
  }
  return {
    reach,
    press: async (target, key) => {
      await reach(target, key)
      await keyboard.press('Enter')
    },
    space: async (target, key) => {
      await reach(target, key)
      await keyboard.press('Space')
    },
    type: async (target, text) => {
      await reach(target)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },
    select: async (target) => {
      await reach(target)
      await keyboard.press('Control+A')
      return target.evaluate((element) => {
        const { value, selectionStart, selectionEnd } = element as HTMLTextAreaElement
        return value.slice(selectionStart, selectionEnd)
      })
    },
    sees: (text) => page.getByText(text).first().waitFor(),
  }
}
