import type {
  AllowedApp,
  App,
  AuthorizationCode,
  BrowserSession,
  Key,
  Link,
  Origin,
  PersonalToken,
  Quota,
  RegistryKind,
  Session,
  TokenPair,
  User,
} from '../registry/registry.ts'
import type { StoredErrand } from './change.ts'
import { isFlag, isListOf, isNumber, isObjectOf, isOneOf, isOptional, isPosition, isText, type Shape } from './shape.ts'

const isPair = isObjectOf<TokenPair>({
  accessHash: isText,
  accessExpiresAt: isNumber,
  requestHash: isText,
  requestExpiresAt: isNumber,
  state: isOneOf('pending', 'current', 'retired'),
})

const isOrigin = isObjectOf<Origin>({ address: isText, userAgent: isOptional(isText) })

const isPersonalToken = isObjectOf<PersonalToken>({
  name: isText,
  hash: isText,
  isReadOnly: isFlag,
  expiresAt: isOptional(isNumber),
})

const isAmount: Shape = (value) => value === null || isPosition(value)

const isQuota = isObjectOf<Quota>({
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
  users: isObjectOf<User>({
    id: isText,
    name: isText,
    passwordHash: isText,
    createdAt: isNumber,
    isAdmin: isOptional(isFlag),
    disabledAt: isOptional(isNumber),
    subject: isOptional(isText),
    quota: isOptional(isQuota),
  }),
  apps: isObjectOf<App>({
    clientId: isText,
    name: isText,
    secretHash: isOptional(isText),
    createdAt: isNumber,
    redirectUris: isOptional(isListOf(isText)),
    isStandard: isOptional(isFlag),
    ownerId: isOptional(isText),
  }),
  sessions: isObjectOf<Session>({
    id: isText,
    userId: isText,
    clientId: isText,
    createdAt: isNumber,
    pairs: isListOf(isPair),
    personal: isOptional(isPersonalToken),
    began: isOptional(isOneOf('password', 'code')),
    allowed: isOptional(isObjectOf<AllowedApp>({ name: isText, redirectUri: isText })),
    origin: isOptional(isOrigin),
    lastUsedAt: isOptional(isNumber),
    isSuspended: isOptional(isFlag),
  }),
  codes: isObjectOf<AuthorizationCode>({
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
  browserSessions: isObjectOf<BrowserSession>({
    hash: isText,
    userId: isText,
    createdAt: isNumber,
    lastUsedAt: isNumber,
    origin: isOrigin,
    by: isOptional(isOneOf('provider')),
  }),
  links: isObjectOf<Link>({
    hash: isText,
    kind: isOneOf('first-sign-in', 'set-password', 'invitation'),
    createdAt: isNumber,
    expiresAt: isNumber,
    userId: isOptional(isText),
    name: isOptional(isText),
  }),
  errands: isObjectOf<StoredErrand & { readonly userId: string }>({ userId: isText, key: isText, dueAt: isNumber }),
  keys: isObjectOf<Key>({ name: isText, publicKey: isText, privateKey: isText, createdAt: isNumber }),
} satisfies Readonly<Record<RegistryKind | 'errands', Shape>>
