import { expect, test } from 'vitest'
import {
  findCycles,
  findExcess,
  type ModuleLimits,
  measureParts,
  readLimits,
  readModules,
} from '../../scripts/module-sizes.ts'

test('each part stays within its modules, median and longest module, without import cycles', async () => {
  const limits = readLimits()

  expect(findExcess(measureParts(readModules(), limits, await findCycles()), limits)).toEqual([])
})

const limits: ModuleLimits = {
  maxLines: 4,
  medianLines: { min: 2, max: 3 },
  parts: [
    { part: 'one', paths: ['src/one/'], maxFiles: 1 },
    { part: 'rest', paths: ['src/'], maxFiles: 5 },
  ],
}

test('each limit that is passed is named with its part or module', () => {
  const modules = [
    { path: 'src/one/a.ts', text: '\n\n\n\n\n' },
    { path: 'src/one/b.ts', text: '\n\n\n\n' },
    { path: 'src/c.ts', text: '\n' },
  ]
  const cycles = [['src/one/a.ts', 'src/one/b.ts']]

  expect(findExcess(measureParts(modules, limits, cycles).slice(0, 2), limits)).toEqual([
    'one has 2 modules, at most 1 are allowed',
    'the median module of one has 5 lines, allowed are 2 to 3',
    'src/one/a.ts has 5 lines, at most 4 are allowed',
    'these modules import each other: src/one/a.ts, src/one/b.ts',
    'the median module of rest has 1 lines, allowed are 2 to 3',
  ])
})

test('a module of no part is an error that names it', () => {
  expect(() => measureParts([{ path: 'web/a.ts', text: '' }], limits, [])).toThrow('in no part: web/a.ts')
})
