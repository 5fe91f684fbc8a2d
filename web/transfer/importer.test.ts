import { expect, test } from 'vitest'
import { bookmarkFile, openImportFixture } from '../../test/support/web/import.ts'

const listAll = async (replica: Awaited<ReturnType<typeof openImportFixture>>['replica']) => {
  const things = []
  for await (const { id, isPending, ...thing } of replica.listThings()) things.push(thing)
  return things.sort((one, other) => one.date - other.date)
}

test('a preview lists new, existing and unreadable entries, and changes nothing', async () => {
  const { replica, importer, see } = await openImportFixture()
  await replica.create({ title: 'Mine', url: 'https://example.com/1', date: 1 })
  const json = '{"format":"thingsync","version":1,"tags":{},"things":[\n{"title":"a","date":1},\n{"tags":"b"}]}\n'

  importer.read([new File([bookmarkFile(3)], 'bookmarks.html'), new File([json], 'things.json')])
  const { preview } = await see('preview')

  expect(preview.files).toEqual([
    { name: 'bookmarks.html', format: 'netscape' },
    { name: 'things.json', format: 'json' },
  ])
  expect(preview.fresh.map(({ title }) => title)).toEqual(['Page 0', 'Page 2', 'a'])
  expect([preview.existingCount, preview.problemCount]).toEqual([1, 1])
  expect(preview.problems).toEqual([{ file: 'things.json', line: 3, reason: 'things[1].title is missing' }])
  expect(await listAll(replica)).toHaveLength(1)
})

test('a repetition inside the file is not counted as an item of the account', async () => {
  const { replica, importer, see } = await openImportFixture()
  await replica.create({ title: 'Mine', url: 'https://a.example/' })
  const rows = ['a', 'b', 'b', 'b', 'a'].map((name) => `${name},https://${name}.example/`)

  importer.read([new File([`title,url\n${rows.join('\n')}\n`], 'rows.csv')])
  const { preview } = await see('preview')

  expect([preview.fresh.length, preview.existingCount, preview.repeatedCount]).toEqual([1, 2, 2])
})

test('rows with the IDs of other programs are recognized by their URLs', async () => {
  const { importer, see } = await openImportFixture()
  const file = (name: string) => new File([`id,title,url\n1,${name},https://${name}.example/\n`], `${name}.csv`)

  importer.read([file('one'), file('two')])
  const { preview } = await see('preview')

  expect([preview.fresh.map(({ title }) => title), preview.existingCount]).toEqual([['one', 'two'], 0])
})

test('a file is imported with a tag, imports no duplicates again, and is undone as a whole', async () => {
  const { replica, undo, importer, see, settle } = await openImportFixture()
  const file = new File([bookmarkFile(600)], 'bookmarks.html')

  importer.read([file])
  await see('preview')
  await importer.begin(['imported'])
  const report = await see('report')
  await settle()
  importer.read([file])
  const again = await see('preview')

  expect(report).toMatchObject({ added: 600, isStopped: false, actionKey: 1 })
  expect((await listAll(replica))[1]).toEqual({
    title: 'Page 1',
    url: 'https://example.com/1',
    tags: 'read t1 imported',
    date: 1_600_000_001,
    archived: false,
  })
  expect([again.preview.fresh.length, again.preview.existingCount]).toEqual([0, 600])
  await undo.undo(report.actionKey ?? 0)
  expect(await listAll(replica)).toEqual([])
})

test('a stopped import adds the rest when it runs again', async () => {
  const { replica, library, importer, see, settle } = await openImportFixture()
  const file = new File([bookmarkFile(900)], 'bookmarks.html')

  importer.read([file])
  await see('preview')
  const importing = importer.begin([])
  await see('importing')
  importer.stop()
  await importing
  const report = await see('report')
  await settle()
  importer.read([file])
  const { preview } = await see('preview')

  expect(report.isStopped).toBe(true)
  expect(report.added).toBeLessThan(900)
  expect(library.countThings()).toBe(report.added)
  expect([preview.existingCount, preview.fresh.length]).toEqual([report.added, 900 - report.added])
  await importer.begin([])
  expect(new Set((await listAll(replica)).map(({ url }) => url)).size).toBe(900)
})

test('an unsupported file is named, and the others are read', async () => {
  const { importer, see } = await openImportFixture()
  const picture = new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])], 'picture.png')

  importer.read([picture, new File([bookmarkFile(1)], 'b.html')])
  const guessed = await see('preview')
  importer.readAs('netscape')
  const chosen = await see('preview')

  expect(guessed.preview.files).toEqual([{ name: 'picture.png' }, { name: 'b.html', format: 'netscape' }])
  expect(guessed.preview.fresh).toHaveLength(1)
  expect(chosen.preview.files[0]).toEqual({ name: 'picture.png' })
  expect(chosen.preview.chosen).toBe('netscape')
})

test('a file in another encoding is rejected with the line, unless it declares its encoding', async () => {
  const { importer, see } = await openImportFixture()
  const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
  const head = '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META CONTENT="text/html; charset=windows-1252">\n'
  const long = 'https://example.org/\n'.repeat(20_000)

  importer.read([
    new File([latin(`${long}https://example.net/ M\u00FCller\n`)], 'list.txt'),
    new File([latin(`${head}<DT><A HREF="https://example.com/">M\u00FCller</A>`)], 'b.html'),
  ])
  const { preview } = await see('preview')

  const failure =
    'line 20001 is not UTF-8, so nothing of the file was read; save it as UTF-8, with a text editor or iconv -f windows-1252 -t utf-8, and import it again'
  expect(preview.files).toEqual([
    { name: 'list.txt', failure },
    { name: 'b.html', format: 'netscape' },
  ])
  expect(preview.fresh.map(({ title }) => title)).toEqual(['M\u00FCller'])
})

test('settings for an invalid tag name are omitted, and everything else is imported', async () => {
  const { replica, importer, see } = await openImportFixture()
  const tags = { 'at home': { favorite: true }, '': { favorite: true }, home: { favorite: true } }
  const things = [{ title: 'Sweep', date: 2, tags: 'home' }]

  importer.read([new File([JSON.stringify({ format: 'thingsync', version: 1, tags, things })], 'a.json')])
  await see('preview')
  await importer.begin([])
  await see('report')

  expect(await listAll(replica)).toEqual([{ title: 'Sweep', date: 2, tags: 'home', archived: false }])
  expect(await replica.listTags()).toEqual(new Map([['home', { favorite: true, color: false, todo: false }]]))
})

test('to-dos keep their checkbox, and tag settings are imported for tags without settings', async () => {
  const { replica, importer, see } = await openImportFixture()
  await replica.setTag('home', { color: '#f00' })
  const things = [
    { title: 'Buy milk', date: 1, todoStatus: true },
    { title: 'Sweep', date: 2, tags: 'chore', todoStatus: false },
  ]
  const tags = { home: { color: '#00f' }, chore: { todo: 'dont-strike', favorite: true } }

  importer.read([new File([JSON.stringify({ format: 'thingsync', version: 1, tags, things })], 'a.json')])
  await see('preview')
  await importer.begin([])

  expect(await listAll(replica)).toEqual([
    { title: 'Buy milk', date: 1, tags: 'todo', archived: false, todoStatus: true },
    { title: 'Sweep', date: 2, tags: 'chore', archived: false, todoStatus: false },
  ])
  expect(await replica.listTags()).toEqual(
    new Map([
      ['chore', { favorite: true, color: false, todo: 'dont-strike' }],
      ['home', { favorite: false, color: '#f00', todo: false }],
      ['todo', { favorite: false, color: false, todo: 'strike' }],
    ]),
  )
})

test('with full storage, the items imported until then are reported and can be undone', async () => {
  const { replica, undo, importer, faults, see } = await openImportFixture()
  const editAll = replica.editAll
  let writes = 0
  Object.assign(replica, {
    editAll: (edits: Parameters<typeof editAll>[0]) =>
      ++writes === 2 ? Promise.reject(new Error('the disk is full')) : editAll(edits),
  })

  importer.read([new File([bookmarkFile(600)], 'bookmarks.html')])
  await see('preview')
  await importer.begin([])
  const report = await see('report')

  expect(faults).toEqual([new Error('the disk is full')])
  expect(report).toMatchObject({ added: 250, isStopped: true, actionKey: 1 })
  await undo.undo(1)
  expect(await listAll(replica)).toEqual([])
})
