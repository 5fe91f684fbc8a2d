import { expect, test } from 'vitest'
import type { Requirement } from '../../../conformance/src/rule.ts'
import { fillStatements, writeTable } from '../../../scripts/interface-page.ts'

const one: Requirement = { id: 'C-4.3-1', section: '4.3', level: 'must', basis: 'specified', text: 'sync takes GET.' }
const other: Requirement = { id: 'K-live-2', section: '4.3', level: 'should', basis: 'extension', text: 'It waits.' }
const page =
  '<a id="interface-4.3"></a>\n\n### 4.3 sync\n\n- <a id="c-4.3-1"></a>Old words\n\nProse.\n\n## 5. Authentication\n'

test('a line has the text of its requirement, its id as a link to itself, and its basis', () => {
  expect(fillStatements(page, [one])).toBe(
    page.replace('Old words', 'sync takes GET. <sub>[C-4.3-1](#c-4.3-1), specified</sub>'),
  )
})

test('a requirement without a line gets one after the last line of its section', () => {
  const filled = fillStatements(page, [one, other]).split('\n')

  expect(filled[5]).toBe('- <a id="k-live-2"></a>*Full:* It waits. <sub>[K-live-2](#k-live-2), extension, SHOULD</sub>')
  expect(fillStatements(filled.join('\n'), [one, other])).toBe(filled.join('\n'))
})

test('a line without a requirement, a second line, and a missing section are errors', () => {
  expect(() => fillStatements(page, [])).toThrow('c-4.3-1, which is no requirement')
  expect(() => fillStatements(`${page}- <a id="c-4.3-1"></a>\n`, [one])).toThrow('has two lines')
  expect(() => fillStatements(page, [one, { ...other, section: '6' }])).toThrow('no section 6, where K-live-2 belongs')
})

test('the table of requirements has a section, and in it the id as a link, level, basis and text', () => {
  expect(writeTable([one, other])).toContain(`
## 4.3 sync

| ID | level | basis | requirement |
| --- | --- | --- | --- |
| [C-4.3-1](protocol.md#c-4.3-1) | MUST | specified | sync takes GET. |
| [K-live-2](protocol.md#k-live-2) | SHOULD | extension | It waits. |
`)
})
