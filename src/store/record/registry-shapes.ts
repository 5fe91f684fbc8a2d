import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText, type Shape } from './shape.ts'

const isPair = isObjectOf({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

const isOrigin = isObjectOf({ address: isText, userAgent: isOptional(isText) })

const isPersonalToken = isObjectOf({
  name: isText,
  hash: isText,
  isReadOnly: isFlag,
  expiresAt: isOptional(isNumber),
})

const isAmount: Shape = (value) => value === null || isPosition(value)

const isQuota = isObjectOf({
  things: isOptional(isAmount),
  bytes: isOptional(isAmount),
  tags: isOptional(isAmount),
  hooks: isOptional(isAmount),
})

/**
 * What each item of the registry, and an errand beside it, looks like in a file. No item fits two of them, so that lines
 * can be told apart.
 */
export const registryShapes = {
  users: isObjectOf({
    id: isText,
    name: isText,
    passwordHash: isText,
    createdAt: isNumber,
    isAdmin: isOptional(isFlag),
    disabledAt: isOptional(isNumber),
    subject: isOptional(isText),
    quota: isOptional(isQuota),
  }),
  apps: isObjectOf({
    clientId: isText,
    name: isText,
    secretHash: isOptional(isText),
    createdAt: isNumber,
    redirectUris: isOptional(isListOf(isText)),
    isStandard: isOptional(isFlag),
    ownerId: isOptional(isText),
  }),
  sessions: isObjectOf({
    id: isText,
    userId: isText,
    clientId: isText,
    createdAt: isNumber,
    pairs: isListOf(isPair),
    personal: isOptional(isPersonalToken),
    began: isOptional(isOneOf('password', 'code')),
    allowed: isOptional(isObjectOf({ name: isText, redirectUri: isText })),
    origin: isOptional(isOrigin),
    lastUsedAt: isOptional(isNumber),
    isSuspended: isOptional(isFlag),
  }),
  codes: isObjectOf({
    hash: isText,
    clientId: isText,
    userId: isText,
    redirectUri: isText,
    isRedirectNamed: isFlag,
    appName: isOptional(isText),
    stateHash: isOptional(isText),
    challenge: isOptional(isText),
    expiresAt: isNumber,
    sessionId: isOptional(isText),
  }),
  browserSessions: isObjectOf({
    hash: isText,
    userId: isText,
    createdAt: isNumber,
    lastUsedAt: isNumber,
    origin: isOrigin,
    by: isOptional(isOneOf('provider')),
  }),
  links: isObjectOf({
    hash: isText,
    kind: isOneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: isNumber,
    expiresAt: isNumber,
    userId: isOptional(isText),
    name: isOptional(isText),
  }),
  errands: isObjectOf({ userId: isText, key: isText, dueAt: isNumber }),
  keys: isObjectOf({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
}
