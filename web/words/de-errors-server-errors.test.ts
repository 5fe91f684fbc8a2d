import { expect, test } from 'vitest'
import { ApiError, type ApiErrorKind } from '../../src/api-error.ts'
import { translateServerError } from './de-errors.ts'

/** Translates an error as a client receives it. */
const translate = (kind: ApiErrorKind, details: ConstructorParameters<typeof ApiError>[1] = {}): string => {
  const { error, message } = new ApiError(kind, details)
  return translateServerError({ error, description: message, message: `413 ${error}` })
}

test('server errors about quotas, sizes and rights are translated to German with their numbers', () => {
  expect([
    translate('thingQuota', { max: 5000 }),
    translate('byteQuota', { max: 70_000 }),
    translate('tagQuota', { max: 10_000 }),
    translate('clearedTagQuota', { max: 10_000 }),
    translate('bodyTooLarge', { maxBytes: 900 }),
    translate('tokenReadOnly'),
  ]).toEqual([
    expect.stringMatching(/^Dieses Konto darf höchstens 5000 Einträge haben/),
    expect.stringMatching(/^Dieses Konto darf Einträge und Tags mit zusammen höchstens 70000 Bytes haben/),
    expect.stringMatching(/^Dieses Konto darf höchstens 10000 Tags mit Einstellungen und ebenso viele/),
    expect.stringMatching(/^Dieses Konto darf höchstens 10000 Tags mit Einstellungen und ebenso viele/),
    'Das ist zu groß: Der Server akzeptiert höchstens 900 Bytes',
    'Dieses Zugriffstoken darf nur lesen',
  ])
})

test('the translation depends on the code and the parameters, not on the wording of the server', () => {
  const say = (error: string, description: string) => translateServerError({ error, description, message: '' })

  expect(say('too_large', 'quota_things: at most 7')).toMatch(/^Dieses Konto darf höchstens 7 Einträge haben/)
  expect(say('insufficient_scope', 'Read-only token')).toBe('Dieses Zugriffstoken darf nur lesen')
})

test('an error that has no translation keeps the sentence of the server', () => {
  const untranslated = [
    { error: 'parameter_invalid', description: 'title has 7 characters (quota_things)', message: '' },
    { error: 'too_large', description: 'new_thing has more than 9 entries', message: '' },
    { error: 'too_large', description: 'At most 9 (quota_other)', message: '' },
  ]

  expect(untranslated.map(translateServerError)).toEqual(untranslated.map(({ description }) => description))
  expect(translateServerError({ message: 'no description' })).toBe('no description')
})
