import { expect, test } from 'vitest'
import { cutAnywhere, readAll } from '../../test/support/transfer.ts'
import { escapeStrayTags, readNetscape } from './netscape.ts'

const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Mine</TITLE>
<DL><p>
<DT><H3>The <textarea></H3>
<DL><p>
<DT><A HREF="u:1">a <style> b</A>
<DD>one <iframe> two<br>three
<DT><A HREF="u:2">never closed
<DT><A HREF="u:3"><a>, <p> and <h3></A>
</DL><p>
<DT><A HREF="u:4">last <
</DL>`

test('tags of the format stay, all others are escaped, in any chunks', async () => {
  const whole = text.replace(/<(?=\/?(?:TITLE|textarea|style|iframe)|\n)/gu, '&lt;')

  for (let size = 1; size < 12; size++) {
    let escaped = ''
    for await (const piece of escapeStrayTags(cutAnywhere(text, size))) escaped += piece
    expect(escaped).toBe(whole)
  }
})

test('text that looks like a tag stays in folder names, titles and notes', async () => {
  const thing = (line: number, url: string, title: string, more: object) => ({
    kind: 'thing',
    line,
    thing: { title, url, tags: '', archived: false, ...more },
  })

  expect(await readAll(readNetscape, cutAnywhere(text, 7))).toEqual([
    thing(5, 'u:1', 'a <style> b', { tags: 'The-<textarea>', html: '<p>one &lt;iframe&gt; two<br>three</p>' }),
    thing(7, 'u:2', 'never closed\n', { tags: 'The-<textarea>' }),
    thing(8, 'u:3', '<a>, <p> and <h3>', { tags: 'The-<textarea>' }),
    thing(10, 'u:4', 'last <\n', {}),
  ])
})
