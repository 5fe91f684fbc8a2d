import { expect, onTestFinished, test } from 'vitest'
import { createMemoryLocalStore } from '../../client/src/index.ts'
import { adoptDrafts, type DraftStorage, type Drafts, openDrafts, shareTexts } from './drafts.ts'
import { openSavedSearches } from './shared-texts.ts'

const openStorage = (): DraftStorage => {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
    key: (index) => [...texts.keys()][index] ?? null,
    get length() {
      return texts.size
    },
  }
}

const openWith = async (texts: Readonly<Record<string, string>>, window: number): Promise<Drafts> => {
  const drafts = await openDrafts({
    storage: openStorage(),
    store: createMemoryLocalStore(),
    account: 'anna',
    window,
    now: Date.now,
  })
  for (const [name, text] of Object.entries(texts)) drafts.open(name).write(text)
  return drafts
}

const read = (drafts: Drafts) => Object.fromEntries(drafts.list().map((name) => [name, drafts.open(name).read()]))

test('a window adopts the drafts of a closed window; two lines of text stay both', async () => {
  const own = await openWith({ add: 'milk', 'edit/1': 'mine', 'add waiting': 'eggs' }, 0)
  const closed = await openWith({ add: 'bread', 'edit/1': 'theirs', 'edit/2': 'form', 'add waiting': 'tea' }, 1)

  adoptDrafts(own, closed)

  expect({ ...read(own), 'add waiting': own.open('add waiting').read().split('\n').sort() }).toEqual({
    add: 'milk',
    'add waiting': ['bread', 'eggs', 'tea'],
    'edit/1': 'mine',
    'edit/2': 'form',
  })
  expect(read(closed)).toEqual({ 'edit/1': 'theirs' })
})

test('an empty add line takes the line of the closed window', async () => {
  const own = await openWith({}, 1)
  const closed = await openWith({ add: 'half a line' }, 0)

  adoptDrafts(own, closed)

  expect([read(own), read(closed)]).toEqual([{ add: 'half a line' }, {}])
})

test('a search that one window saves is in the other window, and a later one replaces neither', async () => {
  const openWindow = async () => {
    const shared = shareTexts(await openWith({}, 0), 'shared searches')
    onTestFinished(shared.close)
    return openSavedSearches(shared.open('saved searches'))
  }
  const [one, other] = [await openWindow(), await openWindow()]
  const names = (searches: typeof one) => searches.all.read().map(({ name }) => name)

  one.save({ name: 'Shopping', query: '#shop' })
  await expect.poll(() => names(other)).toEqual(['Shopping'])
  other.save({ name: 'Read', query: '#read' })
  await expect.poll(() => names(one)).toEqual(['Shopping', 'Read'])
  one.remove('#shop')

  await expect.poll(() => names(other)).toEqual(['Read'])
})
