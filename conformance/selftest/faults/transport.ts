import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Fault } from './fault.ts'

export function unless(condition: boolean, message: string): void {
  if (!condition) throw new Refusal('content-type', message)
}

/** Bodies that are read otherwise than they are written (interface 4.2, 4.3). */
export const transportFaults: readonly Fault[] = [
  {
    id: 'charset-refused',
    title: 'refuses forms whose content type has parameters',
    behaviour: {
      contentTypeOf: (header, url) => (url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url)),
    },
  },
  {
    id: 'token-charset-refused',
    title: 'refuses grants whose content type has parameters',
    behaviour: {
      contentTypeOf: (header, url) =>
        url.includes('token') && !url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url),
    },
  },
  {
    id: 'content-type-case-counts',
    title: 'wants content types in small letters',
    behaviour: { contentTypeOf: (header) => (header.split(';')[0] ?? '').trim() },
  },
  {
    id: 'charset-body-ignored',
    title: 'reads an empty body when the content type has parameters',
    behaviour: {
      bodyOf: (chunks, headers) => (headers['content-type']?.includes(';') ? Buffer.alloc(0) : Buffer.concat(chunks)),
    },
  },
  {
    id: 'raw-brackets-ignored',
    title: 'ignores names with brackets that are not escaped',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !/^[^=]*[[\]]/.test(pair))
          .join('&'),
    },
  },
  {
    id: 'raw-tag-brackets-ignored',
    title: 'ignores tags with brackets that are not escaped',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !pair.startsWith('tag['))
          .join('&'),
    },
  },
  {
    id: 'escaped-brackets-ignored',
    title: 'ignores names with escaped brackets',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !/^[^=]*%5B/.test(pair))
          .join('&'),
    },
  },
  {
    id: 'small-escapes-ignored',
    title: 'reads escapes in capitals only',
    behaviour: { formText: (text) => text.replace(/%(?=[\da-f]*[a-f])(?![\dA-F]{2})/g, '%25') },
  },
  {
    id: 'percent-twenty-kept',
    title: 'reads blanks only where they are plus signs',
    behaviour: { formText: (text) => (text.includes('%6C') ? text : text.replace(/%20/g, '%2520')) },
  },
  {
    id: 'plus-in-forms-kept',
    title: 'reads plus signs of uploads as they are',
    behaviour: { formText: (text) => (text.includes('new_thing') ? text.replace(/\+/g, '%2B') : text) },
  },
  {
    id: 'needless-escapes-kept',
    title: 'reads no escapes of letters',
    behaviour: { formText: (text) => text.replace(/%6([1-9A-F])/g, '%256$1') },
  },
  {
    id: 'raw-semicolon-separates',
    title: 'takes a semicolon for an ampersand',
    behaviour: { formText: (text) => text.replace(/;/g, '&') },
  },
  {
    id: 'raw-equals-cuts',
    title: 'reads values up to the next equals sign',
    behaviour: { formText: (text) => text.replace(/(?<=(^|&)[^=&]*=[^=&]*)=[^&]*/g, '') },
  },
  {
    id: 'raw-quotes-lost',
    title: 'drops quotes that are not escaped and stand alone',
    behaviour: { formText: (text) => text.replace(/'/g, '') },
  },
  {
    id: 'chunks-ignored',
    title: 'reads no body without a length',
    behaviour: {
      bodyOf: (chunks, headers, url) =>
        headers['transfer-encoding'] && url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
    },
  },
  {
    id: 'token-chunks-ignored',
    title: 'reads no body of a grant without a length',
    behaviour: {
      bodyOf: (chunks, headers, url) =>
        headers['transfer-encoding'] && !url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
    },
  },
  {
    id: 'chunks-first-only',
    title: 'reads the first piece of a body',
    behaviour: {
      bodyOf: (chunks, headers) =>
        headers['transfer-encoding'] ? Buffer.concat(chunks).subarray(0, 150) : Buffer.concat(chunks),
    },
  },
  {
    id: 'chunks-refused',
    title: 'refuses bodies without a length',
    behaviour: {
      bodyOf: (chunks, headers) => {
        unless(headers['transfer-encoding'] === undefined, 'a length is required')
        return Buffer.concat(chunks)
      },
    },
  },
]
