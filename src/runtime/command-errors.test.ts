import { expect, test } from 'vitest'
import { StoreError } from '../store/store.ts'
import { describeFailure } from './command-errors.ts'

test('on a full disk a command says what to do, whichever part of the program failed', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
  const sentence = 'ENOSPC: no space left on device, write; free some space, and run the command again'

  expect(describeFailure(full)).toEqual({ text: sentence, exitCode: 1 })
  expect(describeFailure(new StoreError(`data folder: ${full.message}`, { cause: full }))).toEqual({
    text: `data folder: ${sentence}`,
    exitCode: 1,
  })
})
