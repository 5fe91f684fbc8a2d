import { expect, test } from 'vitest'
import { writeFormats } from '../../src/transfer/formats.ts'
import { openImportFixture } from '../../test/support/web/import.ts'
import { exportThings, findMatching } from './export-items.ts'

const openFilled = async () => {
  const fixture = await openImportFixture()
  await fixture.replica.setTag('todo', { todo: true })
  await fixture.replica.setTag('home', { favorite: true })
  await fixture.replica.editAll([
    { kind: 'create', fields: { title: 'Milk', tags: 'todo', date: 1, html: '<p>oat</p>', todoStatus: true } },
    { kind: 'create', fields: { title: 'Page', url: 'https://example.com/', tags: 'home', date: 2, archived: true } },
  ])
  await fixture.settle()
  return fixture
}
const unwatched = () => ({ signal: new AbortController().signal, onProgress: () => {} })

test('every format exports all items, and thingsync JSON restores them unchanged', async () => {
  const { replica } = await openFilled()

  for (const { name, extension } of writeFormats) {
    const file = await exportThings({ replica, format: name, ...unwatched() }, '2026-11-22')
    expect(file).toMatchObject({ name: `thingsync-2026-11-22.${extension}`, count: 2 })
    expect(await file?.blob.text()).toContain('https://example.com/')
  }
  const file = await exportThings({ replica, format: 'json', ...unwatched() }, 'x')
  const other = await openImportFixture()
  other.importer.read([new File([file?.blob ?? ''], 'x.json')])
  await other.see('preview')
  await other.importer.begin([])
  await other.settle()
  const again = await exportThings({ replica: other.replica, format: 'json', ...unwatched() }, 'x')
  const withoutIds = async (blob: Blob | undefined) =>
    (await blob?.text())
      ?.replace(/"_id":"[^"]+",/gu, '')
      .split(/,?\n/u)
      .sort()
  expect(await withoutIds(again?.blob)).toEqual(await withoutIds(file?.blob))
})

test('a partial export has the settings of its tags only, and an aborted export is undefined', async () => {
  const { replica } = await openFilled()
  const only = await findMatching(replica, '#home is:archived', new AbortController().signal)
  if (only === undefined) throw new Error('the search was aborted')
  const stop = new AbortController()

  const file = await exportThings({ replica, format: 'json', only, ...unwatched() }, 'x')
  const { tags, things } = JSON.parse((await file?.blob.text()) ?? '')
  stop.abort()
  const stopped = await exportThings({ replica, format: 'json', ...unwatched(), signal: stop.signal }, 'x')

  expect([Object.keys(tags), things.map(({ title }: { title: string }) => title)]).toEqual([['home'], ['Page']])
  expect(stopped).toBeUndefined()
})
