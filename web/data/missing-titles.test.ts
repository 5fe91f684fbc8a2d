import { expect, onTestFinished, test } from 'vitest'
import { ClientError, type LinkPreview } from '../../client/src/index.ts'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { createSharedText } from '../../test/support/web/shared-texts.ts'
import { fillTitles, isUntitled, maxMissingTitles, openMissingTitles } from './missing-titles.ts'

const url = 'https://a.example/one'

/** A filler whose pages respond as `respond` says; it records its requests and its pauses. */
const openFiller = async (respond: (url: string, attempt: number) => LinkPreview | Promise<LinkPreview>) => {
  const replica = await openOfflineReplica()
  const missing = openMissingTitles(createSharedText())
  const requested: string[] = []
  const pauses: (number | undefined)[] = []
  const resting = new Set<() => void>()
  const filler = fillTitles({
    replica,
    missing,
    previewLink: async (page) => {
      requested.push(page)
      return respond(page, requested.length)
    },
    pause: (milliseconds, signal) => {
      pauses.push(milliseconds)
      return new Promise((resolve) => {
        if (signal.aborted) return resolve()
        resting.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  })
  onTestFinished(filler.close)
  const add = async (fields: { readonly title: string; readonly url?: string }) => {
    const id = await replica.create({ ...fields, date: 1 })
    missing.add([id])
    return id
  }
  const titleOf = async (id: string) => (await replica.findThing(id))?.title
  return { replica, missing, filler, add, titleOf, requested, pauses }
}
const reject = (status: number, details: object = {}): never => {
  throw new ClientError('rejected', 'rejected', { status, error: 'unavailable', ...details })
}

test('a link gets the title of its page, unless the user has given it another title or URL meanwhile', async () => {
  const { replica, missing, add, titleOf } = await openFiller(async (page) => {
    const thing = (await replica.listNewest(9)).find((one) => one.url === page)
    if (page.endsWith('touched')) await replica.change(thing?.id ?? '', { title: 'Mine' })
    if (page.endsWith('moved')) await replica.change(thing?.id ?? '', { url: 'https://b.example/' })
    return { title: ` Page ${page.slice(-5)} ` }
  })

  const plain = await add({ title: url, url })
  await expect.poll(() => titleOf(plain)).toBe('Page e/one')
  const touched = await add({ title: `${url}/touched`, url: `${url}/touched` })
  await expect.poll(missing.all.read).toEqual([])
  const moved = await add({ title: `${url}/moved`, url: `${url}/moved` })
  await expect.poll(missing.all.read).toEqual([])

  expect([await titleOf(touched), await titleOf(moved)]).toEqual(['Mine', `${url}/moved`])
})

test('an item with a title, without a URL, or that is gone is not requested', async () => {
  const { replica, missing, filler, requested } = await openFiller(() => ({ title: 'Page' }))
  await filler.close()
  const ids = [
    await replica.create({ title: 'Mine', url, date: 1 }),
    await replica.create({ title: 'Note', date: 1 }),
    'gone',
  ]
  missing.add(ids)
  const again = fillTitles({
    replica,
    missing,
    previewLink: async (page) => ({ title: requested.push(page).toString() }),
  })
  onTestFinished(again.close)

  await expect.poll(missing.all.read).toEqual([])
  expect(requested).toEqual([])
})

test('a page that cannot be read, or has no title, leaves the URL as the title', async () => {
  const { missing, add, titleOf, requested } = await openFiller((page) => (page === url ? reject(422) : {}))

  const first = await add({ title: url, url })
  const second = await add({ title: `${url}/2`, url: `${url}/2` })
  await expect.poll(missing.all.read).toEqual([])

  expect(requested).toHaveLength(2)
  expect([await titleOf(first), await titleOf(second)]).toEqual([url, `${url}/2`])
})

test.each([
  ['without the network', new ClientError('network', 'no network'), 60_000],
  ['at a limit', new ClientError('rejected', 'slow', { status: 429, retryAfterSeconds: 1_800 }), 1_800_000],
  ['after a failure of the server', new ClientError('rejected', 'failed', { status: 503 }), 60_000],
  ['signed out', new ClientError('signed_out', 'signed out'), 60_000],
])('%s the items wait, and are tried again at once when the filler is woken', async (_, error, milliseconds) => {
  const { missing, filler, add, titleOf, pauses } = await openFiller((_url, attempt) => {
    if (attempt === 1) throw error
    return { title: 'Page' }
  })

  const id = await add({ title: url, url })
  await expect.poll(() => pauses).toContain(milliseconds)
  expect(missing.all.read()).toEqual([id])
  filler.wake()

  await expect.poll(() => titleOf(id)).toBe('Page')
  await expect.poll(missing.all.read).toEqual([])
})

test('a server without link previews is asked once', async () => {
  const { missing, filler, requested, replica } = await openFiller(() => {
    throw new ClientError('not_offered', 'none', { status: 404 })
  })
  await filler.close()
  const ids = [await replica.create({ title: url, url, date: 1 }), await replica.create({ title: url, url, date: 1 })]
  missing.add(ids)
  const again = fillTitles({
    replica,
    missing,
    previewLink: (page) => {
      requested.push(page)
      throw new ClientError('not_offered', 'none', { status: 404 })
    },
  })
  onTestFinished(again.close)

  await expect.poll(missing.all.read).toEqual([])
  expect(requested).toEqual([url])
})

test('the waiting items are stored, are shared with the other windows, and are limited', () => {
  const text = createSharedText()
  const [one, other] = [openMissingTitles(text), openMissingTitles(text)]

  one.add(['a', 'b'])
  other.add(['b', 'c'])
  one.remove('a')
  expect([one.all.read(), other.all.read(), openMissingTitles(text).all.read()]).toEqual(Array(3).fill(['b', 'c']))
  one.add(Array.from({ length: maxMissingTitles + 5 }, (_, index) => `${index}`))
  expect(one.all.read()).toHaveLength(maxMissingTitles)
  one.clear()
  expect([other.all.read(), text.read()]).toEqual([[], ''])
})

test('a link whose title is its URL, or that has none, is untitled', () => {
  const cases = [
    { title: url, url },
    { title: ' ', url },
    { url },
    { title: 'a', url },
    { title: '', url: '' },
    { title: 'a' },
  ]

  expect(cases.map(isUntitled)).toEqual([true, true, true, false, false, false])
})
