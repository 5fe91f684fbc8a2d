import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNoteHtml, toNoteText } from './note-text.ts'

test('text becomes paragraphs, and text again', () => {
  const text = 'a <b> & c\nsecond line\n\nnext'

  expect(toNoteHtml(text)).toBe('<p>a &lt;b&gt; &amp; c<br>second line</p><p>next</p>')
  expect(toNoteText(toNoteHtml(text))).toBe(text)
})

test('what plain text cannot say is edited as HTML', () => {
  const notes = ['<p>a <b>b</b></p>', 'no paragraph', '<p>&quot;</p>', '<p>a</p>\n<p>b</p>']

  expect(notes.map(toNoteText)).toEqual([undefined, undefined, undefined, undefined])
})

test('whatever is saved as text says the same afterwards', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\n', ' ', '<', '&', 'amp;', '<br>', '<p>', '</p>') }),
      (text) => {
        const html = toNoteHtml(text)
        const again = toNoteText(html)
        return again !== undefined && toNoteHtml(again) === html
      },
    ),
  )
})
