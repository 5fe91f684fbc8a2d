import * as files from 'node:fs/promises'
import { expect, test } from 'vitest'
import { registryFile } from '../disk/directory.ts'
import type { RegistryDocument } from '../registry/registry-state.ts'
import { salvageRegistry } from './repair.ts'

const pair = { accessHash: 'a', accessExpiresAt: 1, requestHash: 'r', requestExpiresAt: 2, state: 'current' } as const
const session = { userId: 'ann', createdAt: 1, pairs: [pair] }
const personal = { name: 'script', hash: 'p', isReadOnly: true }

/** One item of each kind, similar to items of other kinds. */
const document: RegistryDocument = {
  users: [
    { id: 'ann', name: 'Ann', passwordHash: 'x', createdAt: 1, isAdmin: true, disabledAt: 2 },
    { id: 'bob', name: 'Bob', passwordHash: 'x', createdAt: 1 },
  ],
  apps: [
    {
      clientId: 'web',
      name: 'web',
      secretHash: 's',
      createdAt: 1,
      redirectUris: ['https://app.example/'],
      ownerId: 'ann',
    },
    { clientId: 'phone', name: 'phone', createdAt: 1, redirectUris: ['com.example.app:/'] },
  ],
  sessions: [
    { ...session, id: 's1', clientId: 'web', began: 'code', origin: { address: '192.0.2.1' }, lastUsedAt: 3 },
    { ...session, id: 's2', clientId: 's2', pairs: [], personal, isSuspended: true },
  ],
  codes: [
    {
      hash: 'c',
      clientId: 'web',
      userId: 'ann',
      redirectUri: 'https://app.example/',
      isRedirectNamed: true,
      expiresAt: 9,
    },
  ],
  browserSessions: [
    { hash: 'b', userId: 'ann', createdAt: 1, lastUsedAt: 2, origin: { address: '192.0.2.1', userAgent: 'browser' } },
  ],
  links: [
    { hash: 'l1', kind: 'set-password', createdAt: 1, expiresAt: 9, userId: 'ann' },
    { hash: 'l2', kind: 'invitation', createdAt: 1, expiresAt: 9, name: 'carla' },
  ],
  keys: [{ name: 'vapid', publicKey: 'p', privateKey: 'q', createdAt: 1 }],
}

const outboxEntries = [{ userId: 'ann', key: 'webhook/1', dueAt: 5 }]

const text = [...registryFile('', files).encode({ write: 7, document, outboxEntries })].join('')

test('every item of a registry is salvaged as its own kind, and as no other', () => {
  expect(salvageRegistry(text)).toEqual({ document, outboxEntries, write: 7 })
})

test('only unreadable lines are lost', () => {
  for (const [kind, name] of [
    ['users', '"bob"'],
    ['apps', '"phone"'],
    ['sessions', '"s2"'],
    ['codes', '"c"'],
    ['browserSessions', '"b"'],
    ['links', '"l2"'],
  ] as const) {
    const lines = text
      .split('\n')
      .map((line) => (line.startsWith(`{"`) && line.includes(`:${name}`) ? line.slice(5) : line))

    const salvaged = salvageRegistry(lines.join('\n')).document

    expect(salvaged).toEqual({ ...document, [kind]: document[kind].slice(0, document[kind].length - 1) })
  }
})
