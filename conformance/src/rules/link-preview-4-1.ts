import type { Reply } from '../client.ts'
import { expect, expectSame } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Delivery, DeliveryResponse, Respond } from '../receiver/receiver.ts'
import { Skipped } from '../result.ts'
import { extensionRule, type Rule } from '../rule.ts'
import { describeReply, expectError, expectObject, get } from './operation-steps.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }

/** A page that states everything, with text that has to be decoded. */
const wholePage = `<!doctype html>
<html><head><meta charset="utf-8">
<title>
  Fish &amp; chips &#8211; the caf&#233;
</title>
<meta name="description" content="Fresh &quot;fish&quot; every day.">
<link rel="canonical" href="/menu?day=1&amp;lang=en">
<meta property="og:site_name" content="Harbor &amp; Sons">
</head><body><h1>Menu</h1></body></html>`

/** A page in Shift_JIS; its title is the word for Japanese. */
const japanesePage = (head: string): Uint8Array =>
  Buffer.concat([
    Buffer.from(`<html><head>${head}<title>`),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
    Buffer.from('</title></head></html>'),
  ])

/** Asks for the preview of a page of the suite's receiver. @throws Skipped when the server may not read it. */
const previewOf = async (
  lab: Lab,
  respond: Respond,
): Promise<{ url: string; reply: Reply; requests: readonly Delivery[] }> => {
  const { url, deliveries } = lab.mailbox(respond)
  const reply = await get(await lab.replica('phone'), 'link/preview', { url })
  if (reply.status === 400 && deliveries.length === 0) {
    throw new Skipped(
      'this needs a server that may read pages of the receiver; thingsync has the setting link_preview_allow for that',
      'a server that may read pages of the receiver',
    )
  }
  return { url, reply, requests: deliveries }
}

const pageOf =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = html): Respond =>
  (): DeliveryResponse => ({ status: 200, headers, body })

/** URLs that a server does not read by default, and text that is no URL of a page. */
const wrongUrls = [
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.1]/',
  'https://anna:secret@example.org/',
  'ftp://example.org/',
  'example.org',
]

/** Rules of section 4.1: link previews (contract, the other operations). Pages are at the suite's receiver. */
export const linkPreviewRules: readonly Rule[] = [
  extensionRule({
    id: 'PREVIEW-PAGE-01',
    title: 'MUST return title, description, canonical URL and name of the site of a page',
    section: '4.1',
    requirements: ['K-preview-1'],
    faults: [
      'preview-missing',
      'preview-entities-raw',
      'preview-lines-kept',
      'preview-description-missing',
      'preview-canonical-relative',
      'preview-site-missing',
    ],
    check: async (lab) => {
      const { url, reply } = await previewOf(lab, pageOf(wholePage))
      const preview = expectObject(reply, 'the page has a title')
      expectSame(preview.title, 'Fish & chips – the café', 'title: one line, with its entities decoded', reply)
      expectSame(preview.description, 'Fresh "fish" every day.', 'description', reply)
      const canonical = new URL('/menu?day=1&lang=en', url).href
      expectSame(preview.canonical_url, canonical, 'canonical_url: absolute', reply)
      expectSame(preview.site_name, 'Harbor & Sons', 'site_name', reply)
    },
  }),
  extensionRule({
    id: 'PREVIEW-PAGE-02',
    title: 'MUST leave out of a preview what the page does not say',
    section: '4.1',
    requirements: ['K-preview-1'],
    faults: ['preview-empty-texts'],
    check: async (lab) => {
      const { reply } = await previewOf(lab, pageOf('<title>Only a title</title>'))
      const preview = expectObject(reply, 'the page has a title')
      expectSame(preview, { title: 'Only a title' }, 'a preview with the title alone', reply)
    },
  }),
  extensionRule({
    id: 'PREVIEW-CHARSET-01',
    title: 'MUST decode a page by the charset of its header and of its meta',
    section: '4.1',
    requirements: ['K-preview-2'],
    faults: ['preview-charset-utf-8', 'preview-charset-header-only', 'preview-charset-meta-only'],
    check: async (lab) => {
      const byHeader = await previewOf(
        lab,
        pageOf(japanesePage(''), { 'content-type': 'text/html; charset=Shift_JIS' }),
      )
      expectSame(expectObject(byHeader.reply, 'the page has a title').title, '日本語', 'the title', byHeader.reply)
      const byMeta = await previewOf(
        lab,
        pageOf(japanesePage('<meta charset="shift_jis">'), { 'content-type': 'text/html' }),
      )
      expectSame(expectObject(byMeta.reply, 'the page has a title').title, '日本語', 'the title', byMeta.reply)
    },
  }),
  extensionRule({
    id: 'PREVIEW-ADDRESS-01',
    title: 'MUST reject a preview of a URL that is not public or not of a page',
    section: '4.1',
    requirements: ['K-preview-3', 'K-error-1'],
    faults: ['preview-address-unchecked', 'preview-url-unchecked', 'preview-url-unnamed'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      for (const url of wrongUrls) {
        const reply = await get(phone, 'link/preview', { url })
        expectError(reply, 400, 'parameter_invalid', `the server must not read ${url}`)
        expect(
          /\burl\b/.test(`${reply.json?.error_description}`),
          'a description that names url',
          describeReply(reply),
          reply,
        )
      }
    },
  }),
  extensionRule({
    id: 'PREVIEW-REDIRECT-01',
    title: 'MUST follow redirects, and send the page neither cookies nor a referrer',
    section: '4.1',
    requirements: ['K-preview-4'],
    faults: [
      'preview-redirect-kept',
      'preview-cookie-sent',
      'preview-referrer-sent',
      'preview-by-post',
      'preview-token-sent',
    ],
    check: async (lab) => {
      const { reply, requests } = await previewOf(lab, ({ index }) =>
        index === 0
          ? { status: 302, headers: { location: '?again', 'set-cookie': 'seen=yes; Path=/' } }
          : { status: 200, headers: html, body: '<title>Moved here</title>' },
      )
      expectSame(
        expectObject(reply, 'the page behind the redirect has a title').title,
        'Moved here',
        'the title',
        reply,
      )
      for (const { method, headers } of requests) {
        expectSame(method, 'GET', 'the method of the request for the page', reply)
        for (const name of ['cookie', 'referer', 'authorization']) {
          expect(headers[name] === undefined, `no header ${name} for the page`, `${name}: ${headers[name]} came`, reply)
        }
      }
    },
  }),
  extensionRule({
    id: 'PREVIEW-ERROR-01',
    title: 'MUST respond with 422 unavailable when the page cannot be read',
    section: '4.1',
    requirements: ['K-preview-5'],
    faults: ['preview-error-ignored', 'preview-error-status', 'preview-redirects-empty'],
    check: async (lab) => {
      const missing = await previewOf(lab, () => ({ status: 404, headers: html, body: '<title>Not found</title>' }))
      expectError(missing.reply, 422, 'unavailable', 'the page has status 404')
      const endless = await previewOf(lab, () => ({ status: 302, headers: { location: '?again' } }))
      expectError(endless.reply, 422, 'unavailable', 'the page redirects without end')
    },
  }),
]
