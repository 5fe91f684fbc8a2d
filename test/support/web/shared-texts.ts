import type { SharedText, SharedTexts } from '../../../web/data/drafts.ts'

/** A shared text in memory. */
export const createSharedText = (text = ''): SharedText => {
  let current = text
  const listeners = new Set<() => void>()
  return {
    read: () => current,
    write: (next) => {
      if (next === current) return true
      current = next
      for (const listener of [...listeners]) listener()
      return true
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
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
