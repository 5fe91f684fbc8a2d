/**
 * A person with an account. No two have the same name to the letter; ids are made by the server and never shown to other
 * users.
 */
export interface User {
  readonly id: string
  readonly name: string
  /** PHC string of the password's argon2id hash. */
  readonly passwordHash: string
  /** Unix time in seconds. */
  readonly createdAt: number
  /** May do what the admin pages offer; in a folder where nobody is, the earliest user may (`accounts/admins.ts`). */
  readonly isAdmin?: boolean
  /** Since when the user may not come in, Unix time in seconds. The sessions stay, suspended. */
  readonly disabledAt?: number
  /** Who the user is for an OpenID provider: its issuer and subject. */
  readonly subject?: string
  /** How much the user may have, where it is another amount than everybody's. */
  readonly quota?: Quota
}

/** How much may be stored: null is any amount, and what is absent is as the server's settings have it. */
export interface Quota {
  readonly things?: number | null
  /** Of what the things say, and of tags (`Usage`). */
  readonly bytes?: number | null
  /** Tags with settings. */
  readonly tags?: number | null
  /** Webhooks. */
  readonly hooks?: number | null
}

/** A registered application (interface 5). Only the SHA-256 of its secret is stored; a public app has none. */
export interface App {
  readonly clientId: string
  readonly name: string
  readonly secretHash?: string
  readonly createdAt: number
  /** Where the web flow may send people back to. */
  readonly redirectUris?: readonly string[]
  /** Its answers hold only fields of RFC 6749, so that strict OAuth libraries take them. */
  readonly isStandard?: boolean
  /** The user who registered it; absent when the operator did. */
  readonly ownerId?: string
}

/**
 * One pair of tokens, as hashes. `pending`: given out by a refresh and not used yet; `current`: in use;
 * `retired`: replaced by a pair that was used, so its request token must never come again.
 */
export interface TokenPair {
  readonly accessHash: string
  readonly accessExpiresAt: number
  readonly requestHash: string
  readonly requestExpiresAt: number
  readonly state: 'pending' | 'current' | 'retired'
}

/** Where a request came from. The user agent is what the program said of itself, cut short. */
export interface Origin {
  readonly address: string
  readonly userAgent?: string
}

/** What makes a session one of a personal access token: a token that a person made, without an app. */
export interface PersonalToken {
  readonly name: string
  readonly hash: string
  readonly isReadOnly: boolean
  /** Unix time in seconds; absent: never. */
  readonly expiresAt?: number
}

/** What a person saw and agreed to: the app's name, and where its codes go. */
export interface AllowedApp {
  readonly name: string
  readonly redirectUri: string
}

/** What begins with one grant and goes on through its refreshes: one app of one user on one device. */
export interface Session {
  readonly id: string
  readonly userId: string
  /** The app; a personal token stands for itself, by the session's id. */
  readonly clientId: string
  readonly createdAt: number
  /** None when it is a personal token's. */
  readonly pairs: readonly TokenPair[]
  readonly personal?: PersonalToken
  /** The grant that began it; absent in the session of a personal token. */
  readonly began?: 'password' | 'code'
  /** What the person allowed, in a session that the web flow began. */
  readonly allowed?: AllowedApp
  /** Where it was last granted tokens, or began. */
  readonly origin?: Origin
  /** Unix time in seconds, give or take an hour; absent while a personal token was never used. */
  readonly lastUsedAt?: number
  /** Its user is disabled: no token of it works. */
  readonly isSuspended?: boolean
}

/** An authorization code of the web flow, by its hash, and what it is bound to. */
export interface AuthorizationCode {
  readonly hash: string
  readonly clientId: string
  readonly userId: string
  readonly redirectUri: string
  /** The request named the address, so the token request must too (RFC 6749, 4.1.3). */
  readonly isRedirectNamed: boolean
  /** The app's name when the person allowed it. */
  readonly appName?: string
  /** Hash of the state that goes back with it. */
  readonly stateHash?: string
  /** The S256 challenge of PKCE. */
  readonly challenge?: string
  /** Unix time in seconds. A used one stays for a while longer, to be recognized. */
  readonly expiresAt: number
  /** The session that it began. */
  readonly sessionId?: string
}

/** A sign-in in a browser, by the hash of its cookie. */
export interface BrowserSession {
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  /** Unix time in seconds, give or take an hour. */
  readonly lastUsedAt: number
  readonly origin: Origin
  /** The person was signed in by an OpenID provider, which knows the browser as well. */
  readonly by?: 'provider'
}

/** What a one-time link is good for: to sign in, to set the password of a user, or to make an account. */
export type LinkKind = 'first-sign-in' | 'set-password' | 'invitation'

/** A link that can be used once, by the hash of the secret in it. */
export interface Link {
  readonly hash: string
  readonly kind: LinkKind
  readonly createdAt: number
  readonly expiresAt: number
  /** Whose it is; absent in an invitation. */
  readonly userId?: string
  /** The name that an invitation is for, when one was given. */
  readonly name?: string
}

/** A pair of keys of the server (VAPID), made once. Whoever has the data folder or a backup has it. */
export interface Key {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  /** Unix time in seconds. */
  readonly createdAt: number
}

/**
 * Looking things up in the registry; hashes are base64url SHA-256 of the token. Lists of everything are for operators and
 * admins; all others cost no more however many people there are.
 */
export interface RegistryReader {
  readonly findUser: (id: string) => Promise<User | undefined>
  /** The user whose name is this one, to the letter. */
  readonly findUserByName: (name: string) => Promise<User | undefined>
  /** Users whose names differ from this one by nothing or only by case, outer spaces and Unicode's spellings. */
  readonly listUsersNamedLike: (name: string) => Promise<readonly User[]>
  /** The user whom an OpenID provider knows by this issuer and subject. */
  readonly findUserBySubject: (subject: string) => Promise<User | undefined>
  /** Users who are marked as admins. */
  readonly listMarkedAdmins: () => Promise<readonly User[]>
  readonly listUsers: () => Promise<readonly User[]>
  /** Whether there are any; costs the same however many there are. */
  readonly hasUsers: () => Promise<boolean>
  readonly findApp: (clientId: string) => Promise<App | undefined>
  readonly listApps: () => Promise<readonly App[]>
  readonly listAppsOf: (ownerId: string) => Promise<readonly App[]>
  /** The session that one of its pairs, or its personal token, gives this hash, whatever the pair's state. */
  readonly findSessionByAccessHash: (hash: string) => Promise<Session | undefined>
  readonly findSessionByRequestHash: (hash: string) => Promise<Session | undefined>
  readonly listSessions: (userId: string) => Promise<readonly Session[]>
  readonly findCode: (hash: string) => Promise<AuthorizationCode | undefined>
  readonly listCodes: (userId: string) => Promise<readonly AuthorizationCode[]>
  readonly listCodesOfApp: (clientId: string) => Promise<readonly AuthorizationCode[]>
  readonly findBrowserSession: (hash: string) => Promise<BrowserSession | undefined>
  readonly listBrowserSessions: (userId: string) => Promise<readonly BrowserSession[]>
  readonly findLink: (hash: string) => Promise<Link | undefined>
  readonly listLinks: (userId: string) => Promise<readonly Link[]>
  readonly listInvitations: () => Promise<readonly Link[]>
  readonly findKey: (name: string) => Promise<Key | undefined>
}

/** The items of the registry, by kind. */
export interface RegistryItems {
  readonly users: User
  readonly apps: App
  readonly sessions: Session
  readonly codes: AuthorizationCode
  readonly browserSessions: BrowserSession
  readonly links: Link
  readonly keys: Key
}

/** A kind of items. */
export type RegistryKind = keyof RegistryItems

/** The registry while one change is at work on it: it reads its own changes. */
export interface RegistryDraft extends RegistryReader {
  readonly put: <Kind extends RegistryKind>(kind: Kind, item: RegistryItems[Kind]) => Promise<void>
  /** By what items of the kind are known by: an id, a hash or a name (`registryIds`). */
  readonly delete: (kind: RegistryKind, id: string) => Promise<void>
}

/** What has ended; in Unix seconds. */
export interface Ended {
  /** Codes and links that expire at this moment or before. */
  readonly expiredBy: number
  /** Sign-ins in browsers that were last used at this moment or before. */
  readonly unusedSince: number
}

/**
 * Users, apps, sessions, codes, links and keys of the whole server. Changes happen one after the other, all or nothing,
 * durable.
 */
export interface Registry extends RegistryReader {
  /** @throws what the work throws; StoreFailed when the change cannot be stored */
  readonly change: <T>(work: (draft: RegistryDraft) => Promise<T>) => Promise<T>
  /**
   * Forgets what has ended, beside changes: none has to run again for it. A store may leave what has ended since it did so
   * last to a call a minute later.
   * @throws StoreFailed
   */
  readonly forgetEnded: (ended: Ended) => Promise<void>
}

/**
 * How many UTF-16 code units a user name has at most, wherever one is read: two for each of the 200 characters that a name
 * may have when it is chosen. Unicode normalization sorts combining marks in quadratic time, so a longer text must never
 * come to it: 64 KB of marks would block the server for more than a second.
 */
export const maxNameLength = 400

/**
 * A user name as it is compared: without outer spaces, without case, without the unseen characters that spelling
 * and pictures may need (`accounts/unseen-characters.ts`), and in one of Unicode's spellings (NFKC), so that what people
 * take for the same name is the same name. A text longer than `maxNameLength` is no name, and is returned as it is.
 */
export const foldName = (name: string): string =>
  name.length > maxNameLength
    ? name
    : name
        .replace(/\u200c|\u200d|\ufe0f/g, '')
        .trim()
        .normalize('NFKC')
        .toLowerCase()
        .normalize('NFKC')
