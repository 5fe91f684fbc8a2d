import { expect, test } from 'vitest'
import { cutAnywhere, readAll } from '../../test/support/transfer.ts'
import { readCsv } from './csv.ts'
import { readCsvRows } from './csv-rows.ts'

/** Reads each thing as its line and title, and each problem as its line and reason. */
const readTitles = async (text: string) =>
  (await readAll(readCsv, cutAnywhere(text, 7))).map((item) => [
    item.line,
    item.kind === 'thing' ? item.thing.title : item.kind === 'problem' ? `! ${item.reason}` : item.kind,
  ])
const openQuote = '! a quote that begins in this line is never closed'

test('an unclosed quote is reported with its line, and the lines after it are read', async () => {
  const rows = 'title,url\nA,https://a.example/\n"B,https://b.example/\nC,https://c.example/\nD,https://d.example/'

  expect(await readTitles(rows)).toEqual([
    [2, 'A'],
    [3, openQuote],
    [4, 'C'],
    [5, 'D'],
  ])
})

test('quotes of later rows do not close an unclosed quote', async () => {
  const bare = 'title,url\n"A,https://a.example/\nB,https://b.example/\n"C,https://c.example/\nD,https://d.example/\n'
  const quoted =
    '"title";"url"\r\n"A";"https://a.example/\r\n"B";"https://b.example/"\r\n"C;"https://c.example/"\r\n"D";""\r\n'

  expect(await readTitles(bare)).toEqual([
    [2, openQuote],
    [3, 'B'],
    [4, openQuote],
    [5, 'D'],
  ])
  expect(await readTitles(quoted)).toEqual([
    [2, openQuote],
    [3, 'B'],
    [4, openQuote],
    [5, 'D'],
  ])
})

test('a quote inside a cell is text, and line ends between quotes stay', async () => {
  const rows =
    'title,url\nA 5" disk,https://a.example/\n"The ""B"",\r\n\n"" of it",https://b.example/\n"Say "C" twice",x:c\n'

  expect(await readTitles(rows)).toEqual([
    [2, 'A 5" disk'],
    [3, 'The "B",\r\n\n" of it'],
    [6, 'Say "C" twice'],
  ])
})

test('after an unclosed quote in the row of names nothing is read', async () => {
  expect(await readTitles('title,"url\nA,https://a.example/\n')).toEqual([[1, openQuote]])
})

test('a row with more cells than names is reported, unless the additional cells are empty', async () => {
  const rows = 'title,url\nOne, two,https://a.example/\nB,https://b.example/,,\nC\n'

  expect(await readTitles(rows)).toEqual([
    [
      2,
      '! the row has 3 cells, but the first row has 2 names; put double quotes around a text that contains the separator',
    ],
    [3, 'B'],
    [4, 'C'],
  ])
})

test('a quote that is open over too many lines is reported before they fill the memory', async () => {
  const lines = '\n'.repeat(100_000)
  let taken = 0
  async function* file() {
    yield 'title,url\n"A,https://a.example/\n'
    for (; taken < 40; taken += 1) yield lines
  }
  const rows = readCsvRows(file())
  const { value } = await rows.next()
  await rows.return()

  expect(value).toMatchObject({ kind: 'problem', line: 2 })
  expect(taken).toBeLessThan(10)
})
