import { casesOf, expectKept } from './cases.ts'
import { coreSection } from './core-rules.ts'

/** Addresses (interface 2.1): a url is a text that is kept, not an address that is put in order. */
export const thingUrlRules = coreSection('2.1', [
  {
    id: 'THING-URL-01',
    title: 'MUST keep a url as it was written, whatever else would lead to the same page',
    basis: 'derived',
    clauses: ['C-2.1-6', 'C-2.1-13'],
    faults: [
      'url-slash-added',
      'url-slash-removed',
      'url-host-lowercased',
      'url-port-dropped',
      'url-dots-resolved',
      'url-fragment-dropped',
      'url-empty-query-dropped',
      'url-tracking-dropped',
      'url-http-becomes-https',
      'url-www-dropped',
      'url-normalised-by-library',
      'url-query-dropped',
      'url-query-sorted',
      'url-login-dropped',
    ],
    check: (lab) =>
      expectKept(
        lab,
        casesOf('url', {
          'a host alone': 'https://example.org',
          'a host with a slash': 'https://example.org/',
          'a path with a slash at its end': 'https://example.org/a/',
          'capital letters in the host': 'https://Example.ORG/A',
          'the usual port': 'http://example.org:80/x',
          'dots in the path': 'https://example.org/a/../b/./c',
          'a fragment': 'https://example.org/a#part-2',
          'an empty query': 'https://example.org/a?',
          'tracking parameters': 'https://example.org/?utm_source=x&fbclid=y&q=z',
          'no encryption': 'http://www.example.org/plain',
          'parameters out of order': 'https://example.org/?b=2&a=1&b=3&c',
          'a login': 'https://reader@example.org/',
        }),
      ),
  },
  {
    id: 'THING-URL-02',
    title: 'MUST keep every escape and every letter of a url',
    basis: 'derived',
    clauses: ['C-2.1-6', 'C-2.1-13'],
    faults: [
      'url-escapes-decoded',
      'url-escapes-uppercased',
      'url-escaped-again',
      'url-unicode-escaped',
      'url-ampersand-escaped',
      'url-plus-lost',
      'url-unicode-lost',
    ],
    check: (lab) =>
      expectKept(lab, [
        ...casesOf('url', {
          'a space and a slash as escapes': 'https://example.org/a%20b%2Fc',
          'escapes in small letters': 'https://example.org/%c3%a4?x=%e2%82%ac',
          'plus and ampersand': 'https://example.org/?q=a+b&copy=1&lt=2;x=3',
          'an address in an address': 'https://example.org/?to=https%3A%2F%2Fexample.com%2F%3Fa%3D1',
        }),
        ...casesOf('url', { 'letters of another script': 'https://example.org/straße/日本?q=ü' }, 'refusable'),
      ]),
  },
  {
    id: 'THING-URL-03',
    title: 'MUST keep a url of another scheme that it takes',
    basis: 'derived',
    clauses: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-other-schemes-dropped', 'url-http-put-in-front', 'url-without-dot-dropped'],
    check: (lab) =>
      expectKept(
        lab,
        casesOf(
          'url',
          {
            'a mail address': 'mailto:alice@example.org?subject=Hi',
            'a file': 'ftp://example.org/a.txt',
            'a host without dots': 'http://localhost:8080/x',
            'no scheme': 'example.org/a',
            'an address of IPv6': 'http://[2001:db8::1]:8080/',
          },
          'refusable',
        ),
      ),
  },
])
