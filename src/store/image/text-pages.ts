import { sameBytes } from '../record/same-bytes.ts'

/** Texts as bytes, each with a number of its own beside it; they are added one after another and stay. */
export interface TextPages {
  /** Adds a text, with 0 as its number; gives its slot, which is how many there were before. */
  readonly add: (bytes: Buffer, start: number, end: number) => number
  readonly isEqual: (slot: number, bytes: Buffer, start: number, end: number) => boolean
  readonly read: (slot: number) => string
  readonly numberOf: (slot: number) => number
  readonly setNumber: (slot: number, value: number) => void
  readonly size: () => number
}

/** Up to 1024 texts. Large arrays are never copied as a whole, and pages that are full have no room to spare. */
interface Page {
  bytes: Buffer
  /** Where each text ends. */
  ends: Uint32Array
  numbers: Float64Array
}

const pageBits = 10
const pageTexts = 1 << pageBits
const firstTexts = 4
const firstBytes = 128

const createPage = (texts: number, bytes: number): Page => ({
  bytes: Buffer.allocUnsafeSlow(bytes),
  ends: new Uint32Array(texts),
  numbers: new Float64Array(texts),
})

const growTexts = (page: Page): void => {
  const { ends, numbers } = page
  page.ends = new Uint32Array(ends.length * 2)
  page.ends.set(ends)
  page.numbers = new Float64Array(numbers.length * 2)
  page.numbers.set(numbers)
}

const resizeBytes = (page: Page, used: number, size: number): void => {
  const { bytes } = page
  page.bytes = Buffer.allocUnsafeSlow(size)
  bytes.copy(page.bytes, 0, 0, used)
}

/** No texts. */
export const createTextPages = (): TextPages => {
  const pages: Page[] = []
  let count = 0

  const pageOf = (slot: number): Page => pages[slot >>> pageBits] as Page
  const startIn = (page: Page, index: number): number => (index === 0 ? 0 : (page.ends[index - 1] as number))

  /** One that follows another is taken to become as large. */
  const openPage = (): Page => {
    const last = pages.at(-1)
    return last === undefined ? createPage(firstTexts, firstBytes) : createPage(pageTexts, last.bytes.length)
  }

  const add = (bytes: Buffer, start: number, end: number): number => {
    const slot = count
    const index = slot & (pageTexts - 1)
    if (index === 0) pages.push(openPage())
    const page = pageOf(slot)
    if (index === page.ends.length) growTexts(page)
    let used = startIn(page, index)
    const needed = used + end - start
    if (needed > page.bytes.length) resizeBytes(page, used, Math.max(needed, used + (used >> 1)))
    for (let from = start; from < end; from += 1, used += 1) page.bytes[used] = bytes[from] as number
    page.ends[index] = used
    count += 1
    if (index === pageTexts - 1 && used < page.bytes.length) resizeBytes(page, used, used)
    return slot
  }

  const isEqual = (slot: number, bytes: Buffer, start: number, end: number): boolean => {
    const page = pageOf(slot)
    const index = slot & (pageTexts - 1)
    const at = startIn(page, index)
    const length = end - start
    return (page.ends[index] as number) - at === length && sameBytes(page.bytes, at, bytes, start, length)
  }

  const read = (slot: number): string => {
    const page = pageOf(slot)
    const index = slot & (pageTexts - 1)
    return page.bytes.toString('utf8', startIn(page, index), page.ends[index])
  }

  return {
    add,
    isEqual,
    read,
    numberOf: (slot) => pageOf(slot).numbers[slot & (pageTexts - 1)] as number,
    setNumber: (slot, value) => {
      pageOf(slot).numbers[slot & (pageTexts - 1)] = value
    },
    size: () => count,
  }
}
