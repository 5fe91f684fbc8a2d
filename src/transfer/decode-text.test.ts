import { expect, test } from 'vitest'
import { decodeText, EncodingError } from './decode-text.ts'

async function* cutBytes(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Decodes the bytes in chunks of this size. Returns the text, or `wrong:` and the error message. */
const read = async (bytes: Uint8Array, size: number): Promise<string> => {
  let text = ''
  try {
    for await (const chunk of decodeText(cutBytes(bytes, size))) text += chunk
  } catch (error) {
    if (error instanceof EncodingError) return `wrong: ${error.message}`
    throw error
  }
  return text
}
const advice = 'save it as UTF-8, with a text editor or iconv -f windows-1252 -t utf-8, and import it again'
const sizes = [1, 2, 3, 5000, 4097, 100_000]
const readAllWays = async (bytes: Uint8Array) => [...new Set(await Promise.all(sizes.map((size) => read(bytes, size))))]
const latin = (text: string) => Buffer.from(text, 'latin1')

test('UTF-8 with and without a byte order mark and UTF-16 with one are decoded in any chunks', async () => {
  const text = `Müller 🙂 €\n${'ü🙂'.repeat(2000)}`
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')

  expect(await readAllWays(Buffer.from(text))).toEqual([text])
  expect(await readAllWays(Buffer.from(`\uFEFF${text}`))).toEqual([text])
  expect(await readAllWays(wide)).toEqual([text])
  expect(await readAllWays(Buffer.from(wide).swap16())).toEqual([text])
})

test('bookmarks are decoded in their declared encoding', async () => {
  const file = (charset: string) =>
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">\nMüller\n`

  expect(await readAllWays(latin(file('windows-1252')))).toEqual([file('windows-1252')])
  expect(await readAllWays(Buffer.from(file('UTF-8')))).toEqual([file('UTF-8')])
  expect(await readAllWays(latin(file('klingon')))).toEqual([
    `wrong: the file declares the encoding klingon, which is not known; ${advice}`,
  ])
})

test('another encoding is an error that names the line, in any chunks', async () => {
  const long = 'üü\n'.repeat(3000)
  const wrong = (line: number) => [`wrong: line ${line} is not UTF-8, so nothing of the file was read; ${advice}`]

  expect(await readAllWays(latin('one\ntwo M\u00FCller\n'))).toEqual(wrong(2))
  expect(await readAllWays(Buffer.concat([Buffer.from(long), latin('\u00FC\n')]))).toEqual(wrong(3001))
  expect(await readAllWays(Buffer.concat([Buffer.from(long), latin('cut \u00C3')]))).toEqual(wrong(3001))
  expect(await readAllWays(latin('title,url\n<META charset=windows-1252>\u00FC'))).toEqual(wrong(2))
  expect(await read(Buffer.from([0xff, 0xfe, 0x41]), 9)).toBe(
    `wrong: the text after byte 3 is not UTF-16LE, so nothing of the file was read; ${advice}`,
  )
})
