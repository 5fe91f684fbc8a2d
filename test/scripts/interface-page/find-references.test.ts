import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allRequirements } from '../../../conformance/src/requirements/all-requirements.ts'
import { allRules } from '../../../conformance/src/rules/all-rules.ts'
import { findReferences, pagePath } from '../../../scripts/interface-page.ts'

const page = readFileSync(pagePath, 'utf8')
const anchors = [...page.matchAll(/<a id="([^"]*)"><\/a>/g)].map(([, anchor = '']) => anchor)

const isWritten = (path: string): boolean =>
  /\.([cm]?[jt]sx?|md|ya?ml|sh|py|go|java|rs|php|txt|css)$|^\.ci\/run$/.test(path) &&
  // What was made or installed is nobody's words; what was released is as it was; this file says what does not exist.
  !/(^|\/)(node_modules|dist|target|vendor|releases)\/|find-references\.test\.ts$/.test(path)

const readFolder = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (/^(node_modules|dist|target|vendor|\.git|\.venv)$/.test(entry.name)) return []
    return entry.isDirectory() ? readFolder(path) : [path]
  })

const files = readFolder('.').filter(isWritten)

test('a reference is found in each of its forms, also when a line ends in it', () => {
  const text = `(interface 4.3, rules 2 to 4; contract, the other
 * operations) and Interface 2 and 4.3 (contract, sync 1 to 3) (contract, requests and sync 13), in the contract, said so,
 as the contract, sync 7 and 8 has it (contract, the token pair, PKCE); RFC 6749 5.2; section 5.3`

  expect(findReferences(text).map(({ anchor }) => anchor)).toEqual([
    ...['interface-4.3-rule-2', 'interface-4.3-rule-3', 'interface-4.3-rule-4'],
    ...['interface-2', 'interface-4.3', 'interface-5.3'],
    'contract-the-other-operations',
    ...['contract-sync-1', 'contract-sync-2', 'contract-sync-3'],
    ...['contract-requests', 'contract-sync-13'],
    ...['contract-sync-7', 'contract-sync-8'],
    ...['contract-the-token-pair', 'contract-pkce'],
  ])
})

test('what code, documents and clients name of the interface and the contract stands in the specification', () => {
  const references = files.flatMap((path) =>
    findReferences(readFileSync(path, 'utf8')).map((reference) => ({ path, ...reference })),
  )

  expect(references.length).toBeGreaterThan(200)
  expect(references.filter(({ anchor }) => !anchors.includes(anchor))).toEqual([])
})

test('the section of every rule and requirement, and every requirement, is in the specification', () => {
  const targets = [
    ...[...allRules, ...allRequirements].map(({ section }) => `interface-${section}`),
    ...allRequirements.map(({ id }) => id.toLowerCase()),
  ]

  expect(targets.filter((target) => !anchors.includes(target))).toEqual([])
})

test('no two sections of the specification share an anchor, and every link on the page leads to one', () => {
  expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
  const linked = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => anchor)
  expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([])
})
