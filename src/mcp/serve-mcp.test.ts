import { expect, test } from 'vitest'
import { readBaseUrl } from './serve-mcp.ts'

test.each([
  ['https://things.example', 'https://things.example/v1/'],
  ['https://things.example/', 'https://things.example/v1/'],
  ['HTTPS://Things.Example/below/a/path//', 'https://things.example/below/a/path/v1/'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/'],
  ['https://things.example/api/v2/', 'https://things.example/api/v2/'],
])('the URL of a server %s leads to its API', (given, expected) => {
  expect(readBaseUrl(given)).toBe(expected)
})

test.each([
  ['things.example', 'is not a URL like https://things.example/'],
  ['ftp://things.example/', 'is not a URL like https://things.example/'],
  ['https://things.example/?token=x', 'is not a URL like https://things.example/'],
  ['https://anna:secret@things.example/', 'leave out the username and password'],
])('%s is no URL of a server, and the error names the option', (given, part) => {
  expect(() => readBaseUrl(given)).toThrow(/^--base-url: /)
  expect(() => readBaseUrl(given)).toThrow(part)
})
