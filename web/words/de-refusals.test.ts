import { expect, test } from 'vitest'
import { Refused } from '../../src/refused.ts'
import { sayRefusalInGerman } from './de-refusals.ts'

test('what the server says of quotas, sizes and rights is said in German, with its figures', () => {
  const refusals = [
    new Refused('thingQuota', { most: 5000 }),
    new Refused('byteQuota', { most: 70_000 }),
    new Refused('tagQuota', { most: 10_000 }),
    new Refused('clearedTagQuota', { most: 10_000 }),
    new Refused('bodyTooLarge', { maxBytes: 900 }),
    new Refused('tokenReadOnly'),
  ]

  const said = refusals.map(({ message }) => sayRefusalInGerman(message))

  expect(said).toEqual([
    expect.stringMatching(/^Dieses Konto darf 5000 Einträge haben/),
    expect.stringMatching(/^Dieses Konto darf Einträge und Tags von zusammen 70000 Bytes haben/),
    expect.stringMatching(/^Dieses Konto darf 10000 Tags mit Einstellungen haben/),
    expect.stringMatching(/^Dieses Konto merkt sich schon 10000 Tags/),
    'Das ist zu groß: der Server nimmt auf einmal höchstens 900 Bytes',
    'Dieser Zugang darf nur lesen',
  ])
  expect(sayRefusalInGerman('something new')).toBe('something new')
})
