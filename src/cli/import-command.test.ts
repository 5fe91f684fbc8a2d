import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeTemporaryFolder, runCli, startCli, startCliServer } from '../acceptance/run-cli.ts'

/** A data folder with the users anna and bob, commands on it, and a folder for files. */
const openTrial = async () => {
  const [data, files] = [await makeTemporaryFolder(), await makeTemporaryFolder()]
  const command = (...args: string[]) => runCli([...args, '--data', data], 'correct horse')
  const importJson = async (...args: string[]) =>
    JSON.parse((await command('import', ...args, '--report', 'json')).stdout) as Record<string, unknown>
  const exportThings = async (user = 'anna') =>
    JSON.parse((await command('export', '--user', user)).stdout).things as Record<string, unknown>[]
  const putFile = async (name: string, text: string) => {
    await writeFile(join(files, name), text)
    return join(files, name)
  }
  await command('user', 'add', 'anna', '--password-stdin')
  return { data, files, command, importJson, exportThings, putFile }
}

const ours = (...things: object[]) =>
  `{"format":"thingsync","version":1,"tags":{"chore":{"favorite":true,"color":"#AABBCC","todo":"dont-strike"}},"things":[\n${things.map((thing) => JSON.stringify(thing)).join(',\n')}\n]}\n`

test('an import adds what is not there, says line by line what it could not read, and can be run again', async () => {
  const { command, importJson, exportThings, putFile } = await openTrial()
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
  const file = await putFile('a.json', ours(whole, twin, { ...twin, _id: 'three3' }, { tags: 'x' }, { title: 4 }))

  const dry = await importJson(file, '--user', 'anna', '--dry-run')
  const nothing = await exportThings()
  const first = await command('import', file, '--user', 'anna')
  const again = await importJson(file, '--user', 'anna')
  const tagged = await command(
    'import',
    await putFile('b.html', '<DT><A HREF="https://example.net/">Net</A>'),
    '--user',
    'anna',
    '--tag',
    'imported',
  )

  const problems = [
    { line: 5, reason: 'things[3].title is missing' },
    { line: 6, reason: 'things[4].title must be text, not 4' },
  ]
  const report = { file, user: 'anna', not_read: 2, problems }
  expect(dry).toEqual({ ...report, dry_run: true, added: 3, already_there: 0 })
  expect(nothing).toEqual([])
  expect(first).toEqual({
    exitCode: 3,
    stdout: `${file}: 3 added, 0 already there, 2 not read\n`,
    stderr: problems.map(({ line, reason }) => `thingsync: line ${line}: ${reason}\n`).join(''),
  })
  expect(again).toEqual({ ...report, dry_run: false, added: 0, already_there: 3 })
  expect(tagged.exitCode).toBe(0)
  const net = {
    title: 'Net',
    tags: 'imported',
    url: 'https://example.net/',
    date: expect.any(Number),
    _id: expect.any(String),
  }
  expect(await exportThings()).toEqual([whole, twin, { ...twin, _id: 'three3' }, net])
  const { tags } = JSON.parse((await command('export', '--user', 'anna')).stdout)
  expect(tags).toEqual({ chore: { favorite: true, color: '#aabbcc', todo: 'dont-strike' } })
})

test('an import into a running server that is killed goes on when it is run again', async () => {
  const { data, command, importJson, exportThings, putFile } = await openTrial()
  const server = await startCliServer(data, ['--no-first-run', '--no-web'])
  const bookmark = (index: number) =>
    `<DT><A HREF="https://example.org/${index}" ADD_DATE="${index}">${'title '.repeat(20)}</A>\n`
  const count = 8000
  const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${Array.from({ length: count }, (_, index) => bookmark(index)).join('')}`
  const file = await putFile('bookmarks.html', text)
  const killed = startCli(['import', '-', '--user', 'anna', '--data', data])

  killed.child.stdin?.write(text.slice(0, text.length * 0.75))
  while ((await exportThings()).length === 0) await sleep(20)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'close')
  const before = (await exportThings()).length
  const { added, already_there: there } = await importJson(file, '--user', 'anna')
  const things = await exportThings()
  const refused = await command('import', file, '--user', 'nobody')
  await server.stop()

  expect(before).toBeLessThan(count)
  expect(there).toBeGreaterThanOrEqual(before)
  expect(Number(added) + Number(there)).toBe(count)
  expect(new Set(things.map(({ url }) => url)).size).toBe(count)
  expect(things).toHaveLength(count)
  expect(refused).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'thingsync: there is no user "nobody"; "user list" shows all users\n',
  })
})

test('an export is a whole file or none, and says why a format is not known', async () => {
  const { files, command, putFile } = await openTrial()
  await command('import', await putFile('a.json', ours({ title: 'One', tags: '' })), '--user', 'anna')

  const written = await command('export', '--user', 'anna', '--format', 'netscape', '--output', join(files, 'out.html'))
  const nowhere = await command('export', '--user', 'anna', '--output', join(files, 'no', 'out.json'))
  const unknown = await command('import', await putFile('c.bin', '\u0001\u0002'), '--user', 'anna')

  expect(written).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `exported 1 things of anna to ${join(files, 'out.html')}\n`,
  })
  expect(await readFile(join(files, 'out.html'), 'utf8')).toMatch(/>One<\/A>\n<\/DL><p>\n$/)
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([
    1,
    `thingsync: ${join(files, 'no', 'out.json')} cannot be written (ENOENT)\n`,
  ])
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('is in no format that is known')])
})
