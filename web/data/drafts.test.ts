import { expect, test } from 'vitest'
import { type DraftStorage, forgetDrafts, openDraft } from './drafts.ts'

const openStorage = (limit = Number.POSITIVE_INFINITY): DraftStorage => {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => {
      if (text.length > limit) throw new DOMException('full', 'QuotaExceededError')
      texts.set(key, text)
    },
    removeItem: (key) => void texts.delete(key),
    key: (place) => [...texts.keys()][place] ?? null,
    get length() {
      return texts.size
    },
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

test('all drafts of an account are forgotten at once, and no other', () => {
  const storage = openStorage()
  for (const [account, name] of [
    ['anna', 'add'],
    ['anna', 'edit/1'],
    ['anna-lena', 'add'],
    ['ben', 'add'],
  ] as const)
    openDraft(storage, account, name).write('typed')
  storage.setItem('thingsync choice/language', 'de')

  forgetDrafts(storage, 'anna')
  forgetDrafts(undefined, 'anna')

  expect(Array.from({ length: storage.length }, (_, place) => storage.key(place))).toEqual([
    'thingsync draft/anna-lena/add',
    'thingsync draft/ben/add',
    'thingsync choice/language',
  ])
})

test('a full or forbidden storage is told, and any other problem is a fault', () => {
  const broken = () => {
    throw new Error('broken')
  }

  expect(openDraft(openStorage(3), 'a', 'add').write('long text')).toBe(false)
  expect(openDraft(undefined, 'a', 'add').write('text')).toBe(false)
  expect(() => openDraft({ ...openStorage(), setItem: broken }, 'a', 'add').write('x')).toThrow('broken')
})
