import { expect, test } from 'vitest'
import { escapeAttribute, escapeText, toNoteHtml } from './note-html.ts'

test.each([
  [
    '1 < 2 & "so"\nnext\r\n\r\n  \n<script>x</script>\n',
    '<p>1 &lt; 2 &amp; "so"<br>next</p><p>&lt;script&gt;x&lt;/script&gt;</p>',
  ],
  ['  indented\n\n  below', '<p>  indented</p><p>  below</p>'],
  [' \n ', ''],
  ['', ''],
])('the text %j as a note is %j', (text, html) => {
  expect(toNoteHtml(text)).toBe(html)
})

test('escaped text stays the same text for a parser of HTML', () => {
  expect(escapeText('a<b>&"c"\r')).toBe('a&lt;b&gt;&amp;"c"&#13;')
  expect(escapeAttribute('a<b>&"c"\r')).toBe('a&lt;b&gt;&amp;&quot;c&quot;&#13;')
})
