import { expect, test } from 'vitest'
import type { Row } from './item-parts.ts'
import { describeUrl, findKnownUrls, normalizeUrl } from './urls.ts'

const row = (number: number, url?: string) => ({ number, date: number, ...(url === undefined ? {} : { url }) }) as Row

test('URLs of the same page are equal: scheme, case of the host, slash, fragment and campaign do not count', () => {
  const same = [
    'https://example.org/a',
    'http://EXAMPLE.org/a/',
    'https://www.example.org/a#part',
    'https://example.org/a?utm_source=x&UTM_medium=y&fbclid=z',
    'https://example.org:443/a',
  ]
  const others = [
    'https://example.org/A',
    'https://example.org/a?b=1',
    'https://example.org/#/a',
    'https://example.net/a',
  ]

  expect(new Set(same.map(normalizeUrl))).toEqual(new Set(['example.org/a']))
  expect(others.map(normalizeUrl)).toEqual(['example.org/A', 'example.org/a?b=1', 'example.org#/a', 'example.net/a'])
  expect([normalizeUrl('no URL'), normalizeUrl('mailto:a@b.example')]).toEqual([undefined, undefined])
})

test('the newest item of a known URL is found, also one in another script', () => {
  const rows = [
    row(1, 'https://example.org/a'),
    row(3, 'http://www.example.org/a/'),
    row(2, 'https://example.org/a#x'),
    row(4),
    row(5, 'https://пример.рф/'),
  ]

  const known = findKnownUrls(rows, [
    'https://example.org/a?utm_campaign=1',
    'https://xn--e1afmkfd.xn--p1ai',
    'https://example.org/b',
    'milk',
  ])

  expect([...known].map(([text, { number }]) => [text, number])).toEqual([
    ['https://example.org/a?utm_campaign=1', 3],
    ['https://xn--e1afmkfd.xn--p1ai', 5],
  ])
})

test.each([
  ['https://www.things.example/2026/11/some-article_about+things.html', 'things.example – some article about things'],
  ['https://things.example/', 'things.example'],
  ['https://things.example/a/12345/', 'things.example'],
  ['https://things.example:8443/caf%C3%A9?q=1#top', 'things.example:8443 – café'],
  ['https://things.example/100%/words-here', 'things.example – words here'],
  ['https://user:secret@things.example/page', 'things.example – page'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['no URL', 'no URL'],
])('%s is described as %s', (url, description) => {
  expect(describeUrl(url)).toBe(description)
})
