import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../test/support/run-cli.ts'
import { openImportFile } from './import-command.ts'

const bookmarks =
  '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="https://example.org/">Example</A>\n</DL><p>\n'
const url = 'https://example.org/'

/** A small file of each program, by its name in the documents. */
const samples = new Map([
  ['bookmarks.html', bookmarks],
  [
    'linkding.json',
    JSON.stringify({
      count: 1,
      results: [{ id: 1, url, title: 'Example', tag_names: [], date_added: '2024-01-01T00:00:00Z' }],
    }),
  ],
  [
    'pinboard_export.json',
    JSON.stringify([
      {
        href: url,
        description: 'Example',
        extended: '',
        time: '2024-01-01T00:00:00Z',
        shared: 'no',
        toread: 'no',
        tags: '',
      },
    ]),
  ],
  [
    'raindrop.csv',
    `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,Example,,,${url},Unsorted,,2024-01-01T00:00:00.000Z,,,false\n`,
  ],
  ['part_000000.csv', `title,url,time_added,cursor,tags,status\nExample,${url},1728576752,1,,unread\n`],
  [
    'karakeep-export.json',
    JSON.stringify({
      bookmarks: [
        { createdAt: 1, title: 'Example', tags: [], content: { type: 'link', url }, note: null, archived: false },
      ],
    }),
  ],
  [
    'wallabag.json',
    JSON.stringify([
      {
        is_archived: 0,
        is_starred: 0,
        tags: [],
        id: 1,
        title: 'Example',
        url,
        content: '<p>a</p>',
        created_at: '2024-01-01T00:00:00+00:00',
      },
    ]),
  ],
  [
    'notes.enex',
    '<?xml version="1.0"?>\n<en-export><note><title>Example</title><content><![CDATA[<en-note>a</en-note>]]></content></note></en-export>',
  ],
  ['list.txt', `${url} Example\n`],
  [
    'things.json',
    JSON.stringify({ format: 'thingsync', version: 1, tags: {}, things: [{ title: 'Example', tags: '' }] }),
  ],
])

test('each file that docs/how-to/host/import-and-export.md names is recognized, and its thing is read', async () => {
  const text = await readFile(new URL('../../docs/how-to/host/import-and-export.md', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('`thingsync import '))
  const names = lines.flatMap((line) =>
    Array.from(line.matchAll(/`thingsync import ([^`]+)`/gu), ([, name]) => name ?? ''),
  )
  const folder = await createTemporaryFolder()
  for (const [name, sample] of samples) await writeFile(join(folder, name), sample)
  await mkdir(join(folder, 'notes/'))
  await writeFile(join(folder, 'notes', 'Example.md'), 'a\n')

  const titles: unknown[] = []
  for (const name of names)
    for await (const item of (await openImportFile(join(folder, name), undefined)).items)
      titles.push(item.kind === 'thing' ? item.thing.title : item)

  expect(lines.length).toBe(15)
  expect(new Set(names)).toEqual(new Set([...samples.keys(), 'notes/']))
  expect(titles).toEqual(names.map(() => 'Example'))
})
