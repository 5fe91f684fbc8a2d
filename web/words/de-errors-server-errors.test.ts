import { expect, test } from 'vitest'
import { ApiError } from '../../src/api-error.ts'
import { translateServerError } from './de-errors.ts'

test('server errors about quotas, sizes and rights are translated to German with their numbers', () => {
  const errors = [
    new ApiError('thingQuota', { max: 5000 }),
    new ApiError('byteQuota', { max: 70_000 }),
    new ApiError('tagQuota', { max: 10_000 }),
    new ApiError('clearedTagQuota', { max: 10_000 }),
    new ApiError('bodyTooLarge', { maxBytes: 900 }),
    new ApiError('tokenReadOnly'),
  ]

  const said = errors.map(({ message }) => translateServerError(message))

  expect(said).toEqual([
    expect.stringMatching(/^Dieses Konto darf 5000 Einträge haben/),
    expect.stringMatching(/^Dieses Konto darf Einträge und Tags von zusammen 70000 Bytes haben/),
    expect.stringMatching(/^Dieses Konto darf 10000 Tags mit Einstellungen haben/),
    expect.stringMatching(/^Dieses Konto merkt sich schon 10000 Tags/),
    'Das ist zu groß: der Server nimmt auf einmal höchstens 900 Bytes',
    'Dieser Zugang darf nur lesen',
  ])
  expect(translateServerError('something new')).toBe('something new')
})
