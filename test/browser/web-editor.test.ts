import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { checkPage } from './check-page.ts'
import { openPage } from './open-page.ts'
import { openOtherDevice } from './upload-things.ts'
import { watchHarm } from './watch-harm.ts'
import {
  expectedOffline,
  goOffline,
  isReadyForOffline,
  listedItems,
  openSignedIn,
  openWebServer,
  signInWith,
} from './web-app-page.ts'

/**
 * What Chromium says at each style and each handler that is parsed, also in the documents without a window where notes and
 * what is pasted are taken apart.
 */
const policySpeaks = /^Applying inline style violates|^Executing inline event handler violates/
const expected = new RegExp(`${policySpeaks.source}|${expectedOffline.source}`)

/** A browser in which anna sees items with these notes. */
const openWithNotes = async (notes: readonly string[]) => {
  const { data, home } = await openWebServer()
  const other = await openOtherDevice(data, home)
  const ids = await other.add(notes.map((html, index) => ({ title: `note ${index}`, html })))
  const { context, page } = await openSignedIn(home, '', expected)
  await listedItems(page).first().waitFor()
  const edit = async (index: number) => {
    await page.goto(`${home}?thing=${ids[index]}&edit=`)
    await page.locator('#note').waitFor()
  }
  const read = async (index: number) => (await other.list()).get(ids[index] ?? '')
  return { context, page, home, ids, edit, read }
}
const note = (page: Page) => page.getByRole('textbox', { name: 'Note', exact: true })
const noteHtml = (page: Page) => note(page).evaluate((field) => field.innerHTML)
/** As long as everything else is waited for: the change goes to the server and back. */
const patient = { timeout: 60_000 }
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const prose = (page: Page) => page.locator('.thing > .prose').evaluate((shown) => shown.innerHTML)

/** Every kind of note that the editor holds, written as other programs write it. */
const held = [
  'plain &amp; text',
  '<p>a<br>b</p>\n<p></p>',
  '<b>x</b> y <i>z</i><u>u</u><del>d</del><code>c</code>',
  '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol start="3"><li><p>x</p></li></ol>',
  '<h1>t</h1>\n<h2>u</h2><h6>v</h6><blockquote>q</blockquote><hr>',
  '<pre><code>let x\n  y</code></pre><pre>a\n b</pre>',
  '<p><a href="https://a.example/" target="_blank" rel="noopener" title="t">l</a></p>',
  '<DIV>a</DIV><div>b</div>',
  '<table><thead><tr><th>a</th><th colspan="2">b</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>',
  '<ul><li>☐ open</li><li>☑ done</li></ul>',
]
/** What it does not hold, with what it says of it. */
const notHeld = [
  ['<table><caption>c</caption><tr><td>a</td></tr></table>', 'caption'],
  ['<p class="x">a</p>', 'class'],
  ['<p style="color:red">a</p>', 'style'],
  ['<p><img src="https://x.example/a.png" alt="p"></p>', 'img, src, alt'],
  ['<!-- c --><p>a</p>', 'comment'],
  ['<script>1</script><p>a</p>', 'script'],
  ['<p>a<sup>2</sup></p>', 'sup'],
  ['<body lang="en"><p>a</p>', 'html'],
  ['<p><a href="/x">l</a></p>', 'a, href'],
  ['<ul><li><input type="checkbox"> x</li></ul>', 'input'],
  ['<form><input name="nodeName"></form>', 'form'],
  ['<p><b><code>x</code></b></p>', ''],
  ['<pre>a<b>b</b></pre>', ''],
] as const

test('a note that the editor holds is opened in it, and one that is not changed keeps its bytes', async () => {
  const { page, edit, read } = await openWithNotes(held)

  for (const [index, html] of held.entries()) {
    await edit(index)
    // Beside a table, a letter begins a paragraph of its own.
    if (html.includes('<table')) await note(page).getByText('3').click()
    await note(page).press('End')
    await note(page).pressSequentially('x')
    await note(page).press('Backspace')
    await page.getByLabel('Title').fill(`renamed ${index}`)
    await save(page)
    await expect.poll(() => read(index), patient).toMatchObject({ title: `renamed ${index}`, html })
  }
}, 300_000)

test('what the editor would lose of a note is named before the first edit, and the note is edited as HTML then', async () => {
  const { page, edit, read } = await openWithNotes(notHeld.map(([html]) => html))

  for (const [index, [html, names]] of notHeld.entries()) {
    await edit(index)
    const why = await page.locator('#note-why').innerText()
    expect(why).toContain(`The editor would lose a part of this note${names === '' ? '.' : ` (${names}).`}`)
    expect(await page.getByLabel('The note as HTML').inputValue()).toBe(html)
  }
  await edit(0)
  await page.getByLabel('The note as HTML').fill('<table><tr><td>b</td></tr></table>')
  await save(page)
  await expect.poll(() => read(0), patient).toMatchObject({ html: '<table><tr><td>b</td></tr></table>' })
  await edit(1)
  await page.getByRole('button', { name: 'Use the editor and lose that part' }).click()
  await note(page).press('End')
  await note(page).pressSequentially('!')
  await save(page)
  await expect.poll(() => read(1), patient).toMatchObject({ html: '<p>a!</p>' })
}, 300_000)

test('with the keyboard alone a note is written with headings, lists, links, quotes and code', async () => {
  const { page, edit, read } = await openWithNotes([''])
  await edit(0)
  await page.getByLabel('Title').focus()
  const type = (text: string) => page.keyboard.type(text)
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  // The tags, the note.
  for (let stops = 0; stops < 14 && !(await note(page).evaluate((field) => field === document.activeElement)); stops++)
    await press('Tab')
  await press('Control+Alt+1')
  await type('Head')
  await press('Enter', 'Control+b')
  await type('bold')
  await press('Control+b')
  await type(' and ')
  await press('Control+k')
  await type('javascript:alert(1)')
  await press('Enter')
  expect(await page.getByRole('alert').filter({ hasText: 'not the URL' }).innerText()).toBe(
    'This is not the URL of a page. Links can use http, https, mailto and tel.',
  )
  await press('Control+a')
  await type('a.example/x')
  await press('Enter', 'Enter')
  await type('- one')
  await press('Enter')
  await type('two')
  await press('Control+]', 'Enter', 'Enter', 'Enter')
  await press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[role=toolbar]')?.getAttribute('aria-label'))).toBe(
    'Formatting',
  )
  await press('Home', ...Array.from({ length: 4 }, () => 'ArrowRight'))
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic')
  await press('Enter')
  await type('last')
  await press('Control+Enter')

  await expect
    .poll(() => read(0))
    .toMatchObject({
      html:
        '<h1>Head</h1><p><strong>bold</strong> and <a href="https://a.example/x">a.example/x</a></p>' +
        '<ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><p><em>last</em></p>',
    })
}, 300_000)

test('what is typed in the editor is there again when the tab is closed at once, and again without the network', async () => {
  const { context, page, home, ids } = await openWithNotes(['<p>begun</p>'])
  await isReadyForOffline(page)
  await goOffline(page)
  await page.goto(`${home}?thing=${ids[0]}&edit=`).catch(() => undefined)

  await note(page).press('End')
  await note(page).pressSequentially(' and more')
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto(`${home}?thing=${ids[0]}&edit=`)

  await again.getByText('Your unsaved text is restored.').waitFor()
  expect(await noteHtml(again)).toBe('<p>begun and more</p>')
  await save(again)
  await again.getByText('Edited “note 0”').waitFor()
  await again.goto(`${home}?thing=${ids[0]}`)
  await expect.poll(() => prose(again)).toBe('<p>begun and more</p>')
})

test('what is pasted comes without what runs, looks or loads', async () => {
  const { context, page, home, edit, read } = await openWithNotes(['<p>a</p>'])
  const harm = await watchHarm(context, home)
  await edit(0)
  await note(page).press('End')
  // The event is sent to the given element if it is on the page, and otherwise to the document.
  await page.evaluate(() => {
    const shown: string[] = []
    document.addEventListener('securitypolicyviolation', ({ target, violatedDirective }) => {
      if (target !== document) shown.push(violatedDirective)
    })
    Object.assign(window, { shown })
  })

  await note(page).evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'b')
    clipboardData.setData(
      'text/html',
      '<p style="color:red" onclick="alert(1)">b<img src="https://evil.example/a.png" onerror="alert(1)"><a href="javascript:alert(1)">c</a><b>d</b></p>',
    )
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await save(page)

  await expect.poll(() => read(0), patient).toMatchObject({ html: '<p>abc<strong>d</strong></p>' })
  expect(await page.evaluate(() => (window as unknown as { shown: readonly string[] }).shown)).toEqual([])
  expect(harm.seen()).toEqual([])
})

test('a note of a megabyte is edited as HTML, and saved', async () => {
  const html = `<p>${'word '.repeat(200_000)}</p>`
  const { page, edit, read } = await openWithNotes([html])
  await edit(0)

  expect(await page.locator('#note-why').innerText()).toBe(
    'This note is too long for the editor, so it is edited as HTML.',
  )
  await page.getByLabel('The note as HTML').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('new ')
  await save(page)

  await expect.poll(() => read(0), patient).toMatchObject({ html: `new ${html}` })
})

test('without its files the note is edited as HTML, and that is said', async () => {
  const { data, home } = await openWebServer()
  const [id] = await (await openOtherDevice(data, home)).add([{ title: 'a', html: '<p>b</p>' }])
  const { context } = {
    context: (await openPage({ expected: /Failed to (?:load|fetch)|ERR_FAILED|dynamically/ })).context(),
  }
  await context.addInitScript(() => Object.defineProperty(navigator, 'serviceWorker', { value: undefined }))
  await context.route('**/note-editor-*', (route) => route.abort())
  const page = await signInWith(context, home)
  await listedItems(page).first().waitFor()

  await page.goto(`${home}?thing=${id}&edit=`)

  await page.getByText('The editor could not be loaded').waitFor()
  expect(await page.getByLabel('The note as HTML').inputValue()).toBe('<p>b</p>')
})

test('everybody can use the editor, even on a narrow screen', async () => {
  const { page, edit } = await openWithNotes([
    '<h2>h</h2><p>a <a href="https://a.example/">b</a></p>',
    '<table></table>',
  ])
  await page.setViewportSize({ width: 360, height: 740 })

  for (const index of [0, 1]) {
    await edit(index)
    if (index === 0) await page.getByRole('button', { name: 'Link', exact: true }).click()
    await checkPage(page)
  }
}, 300_000)
