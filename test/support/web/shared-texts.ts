import type { SharedText, SharedTexts } from '../../../web/data/drafts.ts'

/** A shared text in memory; no other window writes it. */
export const createSharedText = (text = ''): SharedText => {
  let current = text
  return {
    read: () => current,
    write: (next) => {
      current = next
      return true
    },
    watch: () => () => undefined,
  }
}

/** Shared texts in memory, each of them empty at first. */
export const createSharedTexts = (): SharedTexts => {
  const texts = new Map<string, SharedText>()
  return {
    open: (name) => {
      const text = texts.get(name) ?? createSharedText()
      texts.set(name, text)
      return text
    },
  }
}
