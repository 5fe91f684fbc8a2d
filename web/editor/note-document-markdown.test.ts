import { expect, test } from 'vitest'
import { isMarkdown, writeMarkdownAsHtml } from './note-document.ts'

test.each([
  ['# Head', '<h1>Head</h1>'],
  ['a **b** and `c`', '<p>a <strong>b</strong> and <code>c</code></p>'],
  ['- one\n- two', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
  ['3. x\n4. y', '<ol start="3">\n<li>x</li>\n<li>y</li>\n</ol>'],
  ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
  ['```\nlet x\n```', '<pre><code>let x</code></pre>'],
  ['[t](https://a.example/)', '<p><a href="https://a.example/">t</a></p>'],
])('Markdown becomes the HTML of a note: %j', (markdown, html) => {
  expect(isMarkdown(markdown)).toBe(true)
  expect(writeMarkdownAsHtml(markdown)).toBe(html)
})

test('a task becomes a list item with a box as a character', () => {
  expect(writeMarkdownAsHtml('- [ ] open\n- [x] done').replace(/\s+/gu, ' ')).toBe(
    '<ul> <li>☐ open</li> <li>☑ done</li> </ul>',
  )
})

test('a table becomes a table', () => {
  expect(writeMarkdownAsHtml('| a | b |\n|---|---|\n| 1 | 2 |').replace(/\s+/gu, '')).toBe(
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  )
  expect(isMarkdown('| a | b |\n|---|---|\n| 1 | 2 |')).toBe(true)
})

test('an image becomes a link, so that reading the note loads nothing', () => {
  expect(writeMarkdownAsHtml('![a "mill"](https://a.example/?x=1&y=2)')).toBe(
    '<p><a href="https://a.example/?x=1&amp;y=2">a &quot;mill&quot;</a></p>',
  )
})

test.each(['plain words', 'We are #1 today', 'https://example.org/a_b_c', '3 * 4 = 12', 'a - b', 'Dear all,\n\nbye'])(
  'text that is no Markdown stays plain: %j',
  (text) => {
    expect(isMarkdown(text)).toBe(false)
  },
)
