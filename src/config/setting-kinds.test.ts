import { expect, test } from 'vitest'
import { hidePassword, parseStoreLocation } from './settings-table.ts'

test.each([
  ['postgres://u:secret@host/db', 'postgres://u:***@host/db'],
  ['postgresql://:secret@host/db', 'postgresql://:***@host/db'],
  ['postgres://u:sec@secret@host/db', 'postgres://u:***@host/db'],
  ['postgres://u:sec/secret?secret#secret@host/db', 'postgres://u:***@host/db'],
  ['postgres://a/b:secret@host/db', 'postgres://a/b:***@host/db'],
  ['postgresq://u:secret@host/db', 'postgresq://u:***@host/db'],
  ['postgres://host/db?user=u&password=secret#secret', 'postgres://host/db?user=u&password=***'],
  ['postgres://u@host:5432/db?application_name=x', 'postgres://u@host:5432/db?application_name=x'],
  ['postgres://host:5432/db', 'postgres://host:5432/db'],
])('of %s no password is shown', (address, shown) => {
  expect(hidePassword(address)).toBe(shown)
})

test.each(['postgres://u:se/cret@host/db', 'postgresq://host/db', 'JSON', ''])(
  '%s is no location of a store',
  (text) => {
    expect(parseStoreLocation(text)).toBeUndefined()
  },
)
