import { expect, test } from 'vitest'
import { writeFormats } from '../../src/transfer/formats.ts'
import { openImportTrial } from '../../test/support/web/import.ts'
import { exportThings, findMatching } from './export-items.ts'

const openFilled = async () => {
  const trial = await openImportTrial()
  await trial.replica.setTag('todo', { todo: true })
  await trial.replica.setTag('home', { favorite: true })
  await trial.replica.editAll([
    { kind: 'create', fields: { title: 'Milk', tags: 'todo', date: 1, html: '<p>oat</p>', todoStatus: true } },
    { kind: 'create', fields: { title: 'Page', url: 'https://example.com/', tags: 'home', date: 2, archived: true } },
  ])
  await trial.settle()
  return trial
}
const unwatched = () => ({ signal: new AbortController().signal, onProgress: () => {} })

test('everything is written in every format, and our own comes back as it was', async () => {
  const { replica } = await openFilled()

  for (const { name, extension } of writeFormats) {
    const file = await exportThings({ replica, format: name, ...unwatched() }, '2026-11-22')
    expect(file).toMatchObject({ name: `thingsync-2026-11-22.${extension}`, count: 2 })
    expect(await file?.blob.text()).toContain('https://example.com/')
  }
  const file = await exportThings({ replica, format: 'json', ...unwatched() }, 'x')
  const other = await openImportTrial()
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

test('a part is written with the settings of its own tags, and nothing when it is stopped', async () => {
  const { replica } = await openFilled()
  const only = await findMatching(replica, '#home is:archived', new AbortController().signal)
  if (only === undefined) throw new Error('nobody has stopped it')
  const stop = new AbortController()

  const file = await exportThings({ replica, format: 'json', only, ...unwatched() }, 'x')
  const { tags, things } = JSON.parse((await file?.blob.text()) ?? '')
  stop.abort()
  const stopped = await exportThings({ replica, format: 'json', ...unwatched(), signal: stop.signal }, 'x')

  expect([Object.keys(tags), things.map(({ title }: { title: string }) => title)]).toEqual([['home'], ['Page']])
  expect(stopped).toBeUndefined()
})
