import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { type Fault, fault } from './fault.ts'

export function unless(condition: boolean, message: string): void {
  if (!condition) throw new Refusal('content-type', message)
}

/** Bodies that are read otherwise than they are written (interface 4.2, 4.3). */
export const transportFaults: readonly Fault[] = [
  fault('charset-refused', 'refuses forms whose content type has parameters', {
    contentTypeOf: (header, url) => (url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url)),
  }),
  fault('token-charset-refused', 'refuses grants whose content type has parameters', {
    contentTypeOf: (header, url) =>
      url.includes('token') && !url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url),
  }),
  fault('content-type-case-counts', 'wants content types in small letters', {
    contentTypeOf: (header) => (header.split(';')[0] ?? '').trim(),
  }),
  fault('charset-body-ignored', 'reads an empty body when the content type has parameters', {
    bodyOf: (chunks, headers) => (headers['content-type']?.includes(';') ? Buffer.alloc(0) : Buffer.concat(chunks)),
  }),
  fault('raw-brackets-ignored', 'ignores names with brackets that are not escaped', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !/^[^=]*[[\]]/.test(pair))
        .join('&'),
  }),
  fault('raw-tag-brackets-ignored', 'ignores tags with brackets that are not escaped', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !pair.startsWith('tag['))
        .join('&'),
  }),
  fault('escaped-brackets-ignored', 'ignores names with escaped brackets', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !/^[^=]*%5B/.test(pair))
        .join('&'),
  }),
  fault('small-escapes-ignored', 'reads escapes in capitals only', {
    formText: (text) => text.replace(/%(?=[\da-f]*[a-f])(?![\dA-F]{2})/g, '%25'),
  }),
  fault('percent-twenty-kept', 'reads blanks only where they are plus signs', {
    formText: (text) => (text.includes('%6C') ? text : text.replace(/%20/g, '%2520')),
  }),
  fault('plus-in-forms-kept', 'reads plus signs of uploads as they are', {
    formText: (text) => (text.includes('new_thing') ? text.replace(/\+/g, '%2B') : text),
  }),
  fault('needless-escapes-kept', 'reads no escapes of letters', {
    formText: (text) => text.replace(/%6([1-9A-F])/g, '%256$1'),
  }),
  fault('raw-semicolon-separates', 'takes a semicolon for an ampersand', {
    formText: (text) => text.replace(/;/g, '&'),
  }),
  fault('raw-equals-cuts', 'reads values up to the next equals sign', {
    formText: (text) => text.replace(/(?<=(^|&)[^=&]*=[^=&]*)=[^&]*/g, ''),
  }),
  fault('raw-quotes-lost', 'drops quotes that are not escaped and stand alone', {
    formText: (text) => text.replace(/'/g, ''),
  }),
  fault('chunks-ignored', 'reads no body without a length', {
    bodyOf: (chunks, headers, url) =>
      headers['transfer-encoding'] && url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
  }),
  fault('token-chunks-ignored', 'reads no body of a grant without a length', {
    bodyOf: (chunks, headers, url) =>
      headers['transfer-encoding'] && !url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
  }),
  fault('chunks-first-only', 'reads the first piece of a body', {
    bodyOf: (chunks, headers) =>
      headers['transfer-encoding'] ? Buffer.concat(chunks).subarray(0, 150) : Buffer.concat(chunks),
  }),
  fault('chunks-refused', 'refuses bodies without a length', {
    bodyOf: (chunks, headers) => {
      unless(headers['transfer-encoding'] === undefined, 'a length is required')
      return Buffer.concat(chunks)
    },
  }),
]
