import { expect, test } from 'vitest'
import { parseLocalPath } from './site.ts'

test.each([
  '/',
  '/account',
  '/account/sessions?page=2',
  '/authorize?state=a%2Fb&redirect_uri=https%3A%2F%2Fapp.example%2F',
])('%s is a local path', (path) => expect(parseLocalPath(path)).toBe(path))

test.each([
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '/account/../../evil',
  '/./account',
  '/%2e%2e/evil',
  '/a//b',
  '/account#there',
  '/account\\..\\evil',
  'account',
  '@evil.example',
  'javascript:alert(1)',
  '/ä',
  '/account\u0000',
  `/${'a'.repeat(20_000)}`,
  '',
  undefined,
])('%j is no local path', (path) => expect(parseLocalPath(path)).toBeUndefined())
