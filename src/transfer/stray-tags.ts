import type { TextChunks } from './transfer.ts'

// What a Netscape file is made of. All else that looks like a tag is a person's text: Shiori and buku do not escape it, and
// a parser takes what follows a <script>, a <style> or a <title>, to the end of the file, for what is in it.
const stray = /<(?!\/?(?:a|dl|dt|dd|h3|p|br|hr)\b|!)/giu

// The longest that decides: a closing tag of two letters and what follows it.
const longest = '</dl>'.length

/** The text of a Netscape file, where tags that are no part of its form are text. */
export async function* escapeStrayTags(chunks: TextChunks): TextChunks {
  let held = ''
  for await (const chunk of chunks) {
    const text = held + chunk
    const last = text.lastIndexOf('<')
    const end = last === -1 || text.length - last >= longest ? text.length : last
    held = text.slice(end)
    yield text.slice(0, end).replace(stray, '&lt;')
  }
  yield held.replace(stray, '&lt;')
}
