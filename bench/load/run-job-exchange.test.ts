import { expect, test } from 'vitest'
import { createResponseReader, type Exchanged } from './run-job.ts'

const read = (wire: string, pieceBytes: number): { status: number; bytes: number; body: string }[] => {
  const responses: Exchanged[] = []
  const onData = createResponseReader((response) => responses.push(response), true)
  const data = Buffer.from(wire)
  for (let at = 0; at < data.length; at += pieceBytes) onData(data.subarray(at, at + pieceBytes))
  return responses.map(({ status, bytes, body }) => ({ status, bytes, body: String(body) }))
}

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const chunked =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nc\r\n\r\n0\r\n\r\n more\r\n0\r\n\r\n'
const empty = 'HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n'

test.each([1, 2, 3, 7, 1000])('the reader joins responses that arrive in pieces of %i bytes', (pieceBytes) => {
  expect(read(withLength + chunked + empty + withLength, pieceBytes)).toEqual([
    { status: 200, bytes: 5, body: 'hello' },
    { status: 201, bytes: 17, body: 'hello\r\n0\r\n\r\n more' },
    { status: 503, bytes: 0, body: '' },
    { status: 200, bytes: 5, body: 'hello' },
  ])
})

test('the reader does not report an incomplete response', () => {
  expect(read(withLength.slice(0, -1), 1000)).toEqual([])
  expect(read(chunked.slice(0, -1), 1000)).toEqual([])
})

test('a response shows whether it is the last one on its connection', () => {
  const responses: Exchanged[] = []
  const onData = createResponseReader((response) => responses.push(response), false)

  onData(Buffer.from(withLength))
  onData(Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'))
  onData(Buffer.from('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'))

  expect(responses.map(({ isLast }) => isLast)).toEqual([false, true, true])
})
