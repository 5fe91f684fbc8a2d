import { expect, test } from 'vitest'
import { type DraftStorage, openDraft } from './drafts.ts'

const openStorage = (limit = Number.POSITIVE_INFINITY): DraftStorage => {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > limit) throw new DOMException('full', 'QuotaExceededError')
      texts.set(key, text)
    },
    removeItem: (key) => void texts.delete(key),
  }
}

test('a draft is there again for its account, and for no other', () => {
  const storage = openStorage()

  expect(openDraft(storage, 'anna', 'add').write('Milk #home')).toBe(true)

  expect(openDraft(storage, 'anna', 'add').read()).toBe('Milk #home')
  expect(openDraft(storage, 'ben', 'add').read()).toBe('')
  openDraft(storage, 'anna', 'add').write('')
  expect(openDraft(storage, 'anna', 'add').read()).toBe('')
})

test('a full or forbidden storage is told, and any other problem is a fault', () => {
  const broken = () => {
    throw new Error('broken')
  }

  expect(openDraft(openStorage(3), 'a', 'add').write('long text')).toBe(false)
  expect(openDraft(undefined, 'a', 'add').write('text')).toBe(false)
  expect(() => openDraft({ ...openStorage(), setItem: broken }, 'a', 'add').write('x')).toThrow('broken')
})
