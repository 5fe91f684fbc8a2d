import { expect, test } from 'vitest'
import { checkPositions, checkRun, type Exchange, findLowestPosition } from '../../../scripts/sdk-matrix/run-row.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const bearer = { authorization: 'Bearer new' }

const exchange = (
  call: string,
  body: string,
  response: object,
  headers: Exchange['given']['headers'] = {},
): Exchange => {
  const [method = '', path = ''] = call.split(' ')
  return { given: { method, path, headers, body }, response: { status: 200, body: JSON.stringify(response) } }
}

/** What a script that does everything right sends, with the responses. */
const rightExchanges = (): Exchange[] => [
  exchange('POST token', 'grant_type=password', { access_token: 'old', request_token: 'r' }, { 'content-type': form }),
  exchange('POST sync', '{"from":0}', { pos: 300000001, things: { new: { n1: 'x' } } }, { 'content-type': json }),
  exchange('GET sync', '', { pos: 300000001 }),
  exchange('POST sync', '{"from":300000001}', { pos: 300000002 }, { 'content-type': json }),
  exchange('GET sync?from=300000001', '', { pos: 300000002 }),
  exchange('POST sync', 'from=300000002', { pos: 300000003 }, { 'content-type': form }),
  exchange('GET sync?from=300000002', '', { pos: 300000003 }),
  exchange('POST token', 'refresh_token=r', { access_token: 'new' }, { 'content-type': form }),
  exchange('GET sync?from=300000003', '', { pos: 300000003 }, bearer),
]
const rightLines = 'created x\nlisted Buy milk 🥛\nchanged Buy oat milk\ndeleted x\nposition 300000003\n'

test('a script that sends and reads everything has nothing wrong, with bodies as JSON or forms', () => {
  expect(checkRun(rightExchanges(), rightLines)).toEqual([])
})

test('a position that comes back rounded or with an exponent is reported, in a query and in a body', () => {
  const rounded = rightExchanges().with(4, exchange('GET sync?from=300000000', '', { pos: 300000002 }))
  const spelled = rightExchanges().with(
    3,
    exchange('POST sync', '{"from": 3.00000001E8}', { pos: 300000002 }, { 'content-type': json }),
  )

  expect(checkRun(rounded, rightLines)).toEqual([
    'the position 300000001 was sent back as 300000000 in an incremental sync',
  ])
  expect(checkRun(spelled, rightLines)).toEqual(['the position 300000001 was sent back as 3.00000001E8 in a change'])
})

test('what a script did not read in the responses is reported', () => {
  expect(checkRun(rightExchanges(), rightLines.replace('deleted x', ''))).toEqual([
    'the script did not read "deleted x"',
  ])
})

test('the first error of a script that ends early, goes another way or gets an error is reported', () => {
  const [grant, upload, ...others] = rightExchanges() as [Exchange, Exchange, ...Exchange[]]
  const rejected = [grant, { ...upload, response: { status: 415, body: '{}' } }, ...others]

  expect(checkRun(rightExchanges().slice(0, 6), '')).toEqual([
    'the script ended before an incremental sync with the deletion',
  ])
  expect(checkRun(rightExchanges().slice(1), '')).toEqual(['instead of a token by password came POST sync'])
  expect(checkRun(rejected, '')).toEqual(['an upload of one new thing got the status 415 {}'])
})

test('a refresh must send the token that was given, and the new one must be used', () => {
  const old = rightExchanges()
    .with(7, exchange('POST token', 'refresh_token=q', { access_token: 'new' }, { 'content-type': form }))
    .with(8, exchange('GET sync?from=300000003', '', { pos: 300000003 }, { authorization: 'Bearer old' }))

  expect(checkRun(old, rightLines)).toEqual([
    'the refresh did not send the request_token that was given',
    'the new token was not used',
  ])
})

test('the lowest position that was given is found among the responses that have one', () => {
  expect(findLowestPosition(rightExchanges())).toBe(300000001)
  expect(findLowestPosition(rightExchanges().slice(0, 1))).toBeUndefined()
})

test('a lost position is reported of a script that ended after it, and nothing of requests that were none of its steps', () => {
  const rounded = exchange('GET sync?from=300000000', '', { pos: 300000002 })

  expect(checkPositions([...rightExchanges().slice(0, 4), rounded])).toEqual([
    'the position 300000001 was sent back as 300000000 in an incremental sync',
  ])
  expect(checkPositions(rightExchanges().with(4, exchange('GET user/get', '', {})))).not.toContainEqual(
    expect.stringContaining('undefined'),
  )
})
