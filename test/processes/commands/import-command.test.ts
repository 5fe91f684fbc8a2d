import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { noQuotas } from '../../../src/accounts/quotas.ts'
import { type ImportReport, openImportFile, runImport } from '../../../src/cli/import-command.ts'
import { createFolder } from '../../../src/folder/data-folder.ts'
import { createSilentLog } from '../../../src/http/handler.ts'
import { listAccountText } from '../../../src/runtime/account-commands.ts'
import { CommandFailed } from '../../../src/runtime/command-errors.ts'
import { openOwnedStore } from '../../../src/runtime/open-store.ts'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { readFormats } from '../../../src/transfer/formats.ts'
import type { ReadItem } from '../../../src/transfer/transfer.ts'
import { createTemporaryFolder, runCli, startCli, startCliServer } from '../../support/run-cli.ts'
import { cutAnywhere } from '../../support/transfer.ts'

/** A data folder with the user anna that this process owns, as a server does; and a folder for files. */
const openFixture = async () => {
  const [data, files] = [await createTemporaryFolder(), await createTemporaryFolder()]
  await createFolder(data)
  const owned = await openOwnedStore(data, {
    openStore: (ownership) => openJsonFileStore({ folder: data, form: thingForm, log: createSilentLog(), ownership }),
    findBaseUrl: () => 'http://127.0.0.1/v1/',
    quotas: noQuotas,
    onFault: (error) => console.error(error),
    onWait: () => undefined,
  })
  if ('owner' in owned) throw new Error('the folder has another owner')
  onTestFinished(owned.close)
  const { store } = owned
  await store.registry.change((draft) =>
    draft.put('users', { id: 'anna', name: 'anna', passwordHash: '', createdAt: 1, isAdmin: true }),
  )
  const settings = { data, store: 'json', baseUrl: undefined, host: '127.0.0.1', port: 0 } as const
  const importText = async (
    name: string,
    text: string,
    options: { isDry?: boolean; tag?: string; file?: string } = {},
  ) => {
    const format = readFormats.find((each) => each.name === name)
    if (format === undefined) throw new TypeError(`there is no format ${name}`)
    const problems: string[] = []
    const onProblem = ({ line, reason }: ReadItem & { kind: 'problem' | 'remark' }) =>
      problems.push(`line ${line}: ${reason}`)
    const report: ImportReport = await runImport(settings, {
      begin: {
        name: 'import begin',
        user: 'anna',
        isDry: false,
        allowsDuplicates: format.allowsDuplicates,
        file: name,
        ...options,
      },
      items: format.read(cutAnywhere(text, 1000)),
      onProblem: (problem) => void onProblem(problem),
      onProgress: () => undefined,
    })
    return { ...report, problems }
  }
  const readAccount = async () => {
    let text = ''
    for await (const part of await listAccountText(store, 'anna')) text += part
    return JSON.parse(text) as { tags: object; things: Record<string, unknown>[] }
  }
  const putFile = async (name: string, text: string | Uint8Array) => {
    await writeFile(join(files, name), text)
    return join(files, name)
  }
  const command = (...args: string[]) => runCli([...args, '--user', 'anna', '--data', data])
  return { data, files, importText, readAccount, putFile, command }
}

const chore = { favorite: true, color: '#AABBCC', todo: 'dont-strike' }
const ours = (...things: object[]) =>
  `{"format":"thingsync","version":1,"tags":${JSON.stringify({ chore })},"things":[\n${things.map((thing) => JSON.stringify(thing)).join(',\n')}\n]}\n`

test('an import adds what is not there, says line by line what it could not read, and can be run again', async () => {
  const { importText, readAccount } = await openFixture()
  const whole = {
    _id: 'one1',
    title: 'One',
    tags: 'chore',
    date: -1.5,
    html: '<p>1</p>',
    archived: true,
    todoStatus: true,
  }
  const twin = { _id: 'two2', title: 'Two', tags: '', date: 7, url: 'https://example.org/' }
  const file = ours(whole, twin, { ...twin, _id: 'three3' }, { tags: 'x' }, { title: 4 })

  const dry = await importText('json', file, { isDry: true })
  const nothing = await readAccount()
  const first = await importText('json', file)
  const again = await importText('json', file)
  const tagged = await importText(
    'netscape',
    '<DT><A HREF="https://example.org/">There</A>\n<DT><A HREF="https://example.net/" TODO="1">Net</A>',
    { tag: 'imported' },
  )

  const left = {
    notRead: 2,
    remarks: 0,
    problems: ['line 5: things[3].title is missing', 'line 6: things[4].title must be text, not 4'],
  }
  expect(dry).toEqual({ added: 3, alreadyThere: 0, ...left })
  expect(nothing).toEqual({ format: 'thingsync', version: 1, tags: {}, things: [] })
  expect(first).toEqual({ added: 3, alreadyThere: 0, ...left })
  expect(again).toEqual({ added: 0, alreadyThere: 3, ...left })
  expect(tagged).toEqual({ added: 1, alreadyThere: 1, notRead: 0, remarks: 0, problems: [] })
  const { tags, things } = await readAccount()
  const net = { title: 'Net', tags: 'imported todo', url: 'https://example.net/', todoStatus: true }
  const created = { _id: expect.any(String), date: expect.any(Number) }
  expect(things).toEqual([whole, twin, { ...twin, _id: 'three3' }, { ...created, ...net }])
  expect(tags).toEqual({
    chore: { ...chore, color: '#aabbcc' },
    todo: { favorite: false, color: false, todo: 'strike' },
  })
})

test('notes without address and id are known again by title and date, also when they were edited here', async () => {
  const { importText, readAccount } = await openFixture()
  const file = '<DT><A ADD_DATE="5">Note</A>\n<DD>one\n<DT><A ADD_DATE="6">Note</A>\n<DT><A>Bare</A>\n'

  const first = await importText('netscape', file)
  const again = await importText('netscape', file.replace('one', 'edited'))

  expect([first.added, again.added, again.alreadyThere]).toEqual([3, 0, 3])
  expect((await readAccount()).things.map(({ title }) => title)).toEqual(['Note', 'Note', 'Bare'])
})

test('a note that lost its attachments was read, and a remark says so', async () => {
  const { importText } = await openFixture()
  const note = '<note><title>A</title><resource><mime>image/png</mime></resource></note>'

  expect(await importText('enex', `<en-export>${note}</en-export>`)).toEqual({
    added: 1,
    alreadyThere: 0,
    notRead: 0,
    remarks: 1,
    problems: ['line 1: the note "A" was read without its attachments, which cannot be kept: image/png'],
  })
})

test('a note fits the questions to the server, however many bytes its characters have', async () => {
  const { importText, readAccount } = await openFixture()
  const html = '漢'.repeat(600_000)

  const report = await importText('json', ours({ title: 'Long', tags: '', html }))

  expect(report).toEqual({ added: 1, alreadyThere: 0, notRead: 0, remarks: 0, problems: [] })
  expect((await readAccount()).things[0]?.html === html).toBe(true)
})

test('rows that other programs number are known by their addresses, and get ids of ours', async () => {
  const { importText, readAccount } = await openFixture()
  const table = (name: string) =>
    `id,title,url\n${[1, 2, 3].map((row) => `${row},${name} ${row},https://${name}.example/${row}\n`).join('')}`

  const reports = [await importText('csv', table('one')), await importText('csv', table('two'))]
  const again = await importText('csv', table('two').replaceAll('\n3,', '\n1,'))

  expect(reports.map(({ added, alreadyThere }) => [added, alreadyThere])).toEqual([
    [3, 0],
    [3, 0],
  ])
  expect([again.added, again.alreadyThere]).toEqual([0, 3])
  const { things } = await readAccount()
  expect(things.map(({ title }) => title)).toEqual(['one 1', 'one 2', 'one 3', 'two 1', 'two 2', 'two 3'])
  expect(things.filter(({ _id }) => /^[1-3]$/u.test(String(_id)))).toEqual([])
})

test('an import by command is not held by quotas, and says what the user has too much of', async () => {
  const data = await createTemporaryFolder()
  await runCli(['user', 'add', 'anna', '--password-stdin', '--data', data], 'correct horse')
  await runCli(['user', 'quota', 'anna', '--things', '2', '--data', data])
  const file = join(data, 'list.txt')
  await writeFile(file, 'https://a.example/\nhttps://b.example/\nhttps://c.example/\n')
  const importAgain = () => runCli(['import', file, '--user', 'anna', '--data', data])

  const alone = await importAgain()
  const server = await startCliServer(data, ['--no-first-run', '--quota-bytes', '10'])
  const beside = await importAgain()
  await server.stop()

  const things = 'thingsync: note: anna has 3 things and a quota of 2 (quota_things), so can add none\n'
  expect(alone).toEqual({ exitCode: 0, stdout: `${file}: 3 added, 0 already there, 0 not read\n`, stderr: things })
  expect([beside.exitCode, beside.stdout]).toEqual([0, `${file}: 0 added, 3 already there, 0 not read\n`])
  expect(beside.stderr).toMatch(
    /^thingsync: note: anna has 3 things .*\nthingsync: note: anna has \d+ bytes of things and tags and a quota of 10 \(quota_bytes\), so can add none\n$/,
  )
})

test('an import whose process is killed goes on when it is run again, things with one address too', async () => {
  const { data, importText, readAccount, putFile } = await openFixture()
  const count = 4000
  const text = ours(
    ...Array.from({ length: count }, (_, index) => ({
      _id: `n${index}`,
      title: 'long '.repeat(40),
      url: `u:${index % 10}`,
      tags: '',
      date: index,
    })),
  )
  const killed = startCli(['import', '-', '--format', 'json', '--user', 'anna', '--data', data])

  // What it has not read when it is killed cannot be written any more.
  killed.child.stdin?.on('error', () => undefined)
  killed.child.stdin?.write(text.slice(0, text.length * 0.75))
  while ((await readAccount()).things.length === 0) await sleep(20)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'close')
  const before = (await readAccount()).things.length
  // As the command would know it again.
  const { key, items } = await openImportFile(await putFile('same.json', text), 'json')
  // Read to its end, so that the file is closed.
  for await (const { kind } of items) expect(kind).not.toBe('problem')
  const { added, alreadyThere } = await importText('json', text, { file: key })
  const { things } = await readAccount()

  expect(before).toBeLessThan(count)
  expect(added + alreadyThere).toBe(count)
  expect(alreadyThere).toBeGreaterThanOrEqual(before)
  expect(things.map(({ _id }) => _id)).toEqual(Array.from({ length: count }, (_, index) => `n${index}`))
})

test('a file in another encoding is rejected whole, with the line; a note of a folder by itself', async () => {
  const { files, readAccount, putFile } = await openFixture()
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const list = await putFile(
    'list.txt',
    latin(`${'https://example.org/\n'.repeat(20_000)}https://example.net/ M\u00FCller\n`),
  )
  await mkdir(join(files, 'notes'))
  await writeFile(join(files, 'notes', 'a.md'), latin('M\u00FCller'))
  await writeFile(join(files, 'notes', 'b.md'), Buffer.from('\uFEFFM\u00FCller', 'utf16le'))

  const notes: unknown[] = []
  for await (const item of (await openImportFile(join(files, 'notes'), undefined)).items) notes.push(item)

  const wrong = (line: number) =>
    `line ${line} is not UTF-8, so nothing of the file was read; save it as UTF-8, with a text editor or iconv -f windows-1252 -t utf-8, and import it again`
  await expect(openImportFile(list, undefined)).rejects.toThrow(new CommandFailed(`${list}: ${wrong(20_001)}`))
  expect(notes).toEqual([
    { kind: 'problem', line: 1, reason: `a.md: ${wrong(1)}` },
    { kind: 'thing', line: 1, thing: { title: 'b', tags: '', html: '<p>M\u00FCller</p>', archived: false } },
  ])
  expect((await readAccount()).things).toEqual([])
})

test('the commands: a report and its exit code, a folder of notes out and in, a format that is not known', async () => {
  const { files, command, readAccount, putFile } = await openFixture()
  const file = await putFile('a.json', ours({ title: 'One', tags: '' }, { tags: '' }))
  const notes = join(files, 'notes')

  const imported = await command('import', file, '--report', 'json')
  const folder = await command('export', '--format', 'markdown', '--output', `${notes}/`)
  await mkdir(join(notes, 'deep'))
  await writeFile(join(notes, 'deep', 'Two.md'), '---\ntags: [a]\n---\ntext')
  const back = await command('import', notes)
  const unknown = await command('import', await putFile('c.bin', '\u0001\u0002'))
  const nowhere = await command('export', '--output', join(files, 'no', 'out.json'))
  const bookmarks = await command('export', '--format', 'netscape')

  const problems = [{ line: 3, reason: 'things[1].title is missing' }]
  expect([imported.exitCode, JSON.parse(imported.stdout)]).toEqual([
    3,
    { file, user: 'anna', dry_run: false, added: 1, already_there: 0, not_read: 1, problems, remarks: [] },
  ])
  expect(folder).toEqual({ exitCode: 0, stdout: '', stderr: `exported 1 things of anna to ${notes}\n` })
  expect(await readFile(join(notes, 'One.md'), 'utf8')).toMatch(/^---\nthingsync: 1\ntitle: "One"\ndate: /)
  expect(back.stdout).toBe(`${notes}: 1 added, 1 already there, 0 not read\n`)
  expect((await readAccount()).things[1]).toMatchObject({ title: 'Two', tags: 'deep a', html: '<p>text</p>' })
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('has an unknown format')])
  const missing = `thingsync: export: ${join(files, 'no', 'out.json')} cannot be written: the folder ${join(files, 'no')} does not exist\n`
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, missing])
  expect(bookmarks.stdout).toMatch(
    /^<!DOCTYPE NETSCAPE-Bookmark-file-1>[\s\S]*>One<\/A>[\s\S]*>Two<\/A>\n<DD>text\n<\/DL><p>\n$/,
  )
})

test('an export replaces nothing of the data folder, and no link', async () => {
  const { data, files, command } = await openFixture()
  const control = join(data, 'control.json')
  const before = await readFile(control, 'utf8')
  await symlink(control, join(files, 'link'))

  const inside = await command('export', '--output', control)
  const link = await command('export', '--output', join(files, 'link'))
  const standard = await command('export', '--output', '-')

  const [rule, other] = ['is in the data folder; give a file outside it', 'is a link; give the name of a new file']
  expect([inside.exitCode, inside.stderr]).toEqual([1, `thingsync: export: ${control} ${rule}\n`])
  expect([link.exitCode, link.stderr]).toEqual([1, expect.stringContaining(`export: ${join(files, 'link')} ${other}`)])
  expect([standard.exitCode, JSON.parse(standard.stdout).format]).toEqual([0, 'thingsync'])
  expect(await readFile(control, 'utf8')).toBe(before)
})

test('a thing that no request could hold is named and left out, and what follows comes in', async () => {
  const { importText, readAccount } = await openFixture()
  const long = `${ours({ title: 'x'.repeat(32 * 1024 * 1024), tags: '', date: 1 }, { title: 'Short', tags: '', date: 2 })}`

  const report = await importText('json', long)

  expect(report).toMatchObject({ added: 1, notRead: 1, problems: ['line 2: the thing is longer than 32 MiB'] })
  expect((await readAccount()).things).toMatchObject([{ title: 'Short' }])
})

test('a packed file is said to be one', async () => {
  const { putFile, command } = await openFixture()
  const sentence = 'the file is compressed (ZIP or gzip); unpack it, and import the files in it'
  for (const begin of ['PK\u0003\u0004\u0014\0', '\u001f\u008b\u0008']) {
    const file = await putFile('bookmarks.zip', Buffer.from(`${begin}\u00ff`, 'latin1'))
    expect(await command('import', file)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `thingsync: ${file}: ${sentence}\n`,
    })
  }
})

test.runIf(existsSync('/proc/self'))('a file in no format that is known is closed', async () => {
  const { putFile } = await openFixture()
  const opened = async () => (await readdir('/proc/self/fd')).length
  const odd = await putFile('odd', '?'.repeat(100_000))
  const before = await opened()
  await expect(openImportFile(odd, undefined)).rejects.toThrow('has an unknown format')
  expect(await opened()).toBe(before)
})

test('a file that becomes shorter while it is imported is named, and not taken for all of it', async () => {
  const { putFile } = await openFixture()
  const line = '<DT><A HREF="https://a.example/" ADD_DATE="1">A</A>\n'
  const file = await putFile('b.html', `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${line.repeat(10_000)}`)
  const { items } = await openImportFile(file, undefined)
  const readAll = async () => {
    for await (const _ of items);
  }
  await truncate(file, 100_000)

  const sentence = `${file} became shorter while it was read; import it again when it is complete`
  await expect(readAll()).rejects.toThrow(new CommandFailed(sentence))
})
