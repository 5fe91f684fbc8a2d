import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { encodeForm } from './encoding.ts'
import { writeCurl } from './repeat-script.ts'
import type { Exchange } from './result.ts'

/** Returns the arguments that curl gets when a shell runs the command. */
const runInShell = (command: string): string[] =>
  execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: { ...process.env, ACCESS_TOKEN: 't"o $k' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)

const variable = (name: string): string => `$\{${name}}`

const exchange = (more: Partial<Exchange>): Exchange => ({
  who: 'phone',
  method: 'GET',
  url: 'http://localhost/v1/sync?from=1',
  requestHeaders: { accept: 'application/json' },
  ms: 1,
  ...more,
})

test('a GET with a hidden token becomes a command that reads the token from a variable', () => {
  const command = writeCurl(exchange({ requestHeaders: { authorization: `Bearer ${variable('ACCESS_TOKEN')}` } }))

  expect(command).not.toContain('t"o')
  expect(runInShell(command)).toEqual(['-sS', 'http://localhost/v1/sync?from=1', '-H', 'authorization: Bearer t"o $k'])
})

test('a form becomes one argument for each parameter, quotes and line breaks included', () => {
  const thing = `{"title":"it's \`$HOME\` "}\n`
  const body = encodeForm([
    ['access_token', 'SECRET'],
    ['new_thing[]', thing],
    ['tag[a b]', '{}'],
  ]).replace('SECRET', variable('ACCESS_TOKEN'))
  const requestHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

  const command = writeCurl(exchange({ method: 'POST', requestHeaders, requestBody: body }))

  expect(runInShell(command).slice(2)).toEqual([
    ...['--data-urlencode', 'access_token=t"o $k'],
    ...['--data-urlencode', `new_thing%5B%5D=${thing}`],
    ...['--data-urlencode', 'tag%5Ba%20b%5D={}'],
  ])
})

test('a body that is not a form is sent unchanged, and another method is named', () => {
  const requestHeaders = { 'content-type': 'application/json' }

  const command = writeCurl(exchange({ method: 'PUT', requestHeaders, requestBody: '{"a": 1}' }))

  expect(runInShell(command)).toEqual([
    ...['-sS', '-X', 'PUT', 'http://localhost/v1/sync?from=1'],
    ...['-H', 'content-type: application/json', '--data-raw', '{"a": 1}'],
  ])
})

test('a POST with an empty form stays a POST', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  const command = writeCurl(exchange({ method: 'POST', requestHeaders: headers, requestBody: '' }))

  expect(runInShell(command)).toContain('--data-raw')
})
