/*
 * The registry: users, apps, sessions, codes, links and keys of the whole server. It stores only hashes of tokens and
 * secret links, and must not know how a request is authenticated. Start with `Registry`; `registry-state.ts` is the
 * registry in memory.
 */

/**
 * A user with an account. User names are unique, compared by exact characters. The server creates the ids and never
 * shows them to other users.
 */
export interface User {
  readonly id: string
  readonly name: string
  /** PHC string of the password's argon2id hash. */
  readonly passwordHash: string
  /** Unix time in seconds. */
  readonly createdAt: number
  /** May use the admin pages. In a folder without such a user, the earliest user may (`accounts/users.ts`). */
  readonly isAdmin?: boolean
  /** When the user was disabled, Unix time in seconds. The sessions stay, suspended. */
  readonly disabledAt?: number
  /** Identifies the user at an OpenID provider: its issuer and subject. */
  readonly subject?: string
  /** The user's own quota, where it differs from the server's settings. */
  readonly quota?: Quota
}

/** How much a user may store: null means no limit, and an absent member means the server's setting. */
export interface Quota {
  readonly things?: number | null
  /** Bytes of the things' content and of tags (`Usage`). */
  readonly bytes?: number | null
  /** Tags with settings. */
  readonly tags?: number | null
  /** Webhooks. */
  readonly hooks?: number | null
}

/** A registered application (interface 5). Only the SHA-256 of its secret is stored; a public client has no secret. */
export interface App {
  readonly clientId: string
  readonly name: string
  readonly secretHash?: string
  readonly createdAt: number
  /** The permitted redirect URIs of the authorization code flow. */
  readonly redirectUris?: readonly string[]
  /** Responses contain only fields of RFC 6749, so that strict OAuth libraries accept them. */
  readonly isStandard?: boolean
  /** The user who registered the app; absent when the administrator did. */
  readonly ownerId?: string
}

/**
 * One pair of tokens, as hashes. `pending`: issued by a refresh and not used yet. `current`: in use. `retired`:
 * replaced by a pair that was used, so a reuse of its refresh token must be detected.
 */
export interface TokenPair {
  readonly accessHash: string
  readonly accessExpiresAt: number
  readonly requestHash: string
  readonly requestExpiresAt: number
  readonly state: 'pending' | 'current' | 'retired'
}

/** The origin of a request. The user agent is the client's own text, truncated. */
export interface Origin {
  readonly address: string
  readonly userAgent?: string
}

/** The personal access token of a session: a user created the token, without an app. */
export interface PersonalToken {
  readonly name: string
  readonly hash: string
  readonly isReadOnly: boolean
  /** Unix time in seconds; absent when the token never expires. */
  readonly expiresAt?: number
}

/** The consent of a user: the app's name, and the redirect URI for its codes. */
export interface AllowedApp {
  readonly name: string
  readonly redirectUri: string
}

/** A session begins with one grant and continues through its refreshes: one app of one user on one device. */
export interface Session {
  readonly id: string
  readonly userId: string
  /** The app; for a personal token, the session's id. */
  readonly clientId: string
  readonly createdAt: number
  /** Empty for the session of a personal token. */
  readonly pairs: readonly TokenPair[]
  readonly personal?: PersonalToken
  /** The grant that began the session; absent for a personal token. */
  readonly began?: 'password' | 'code'
  /** The user's consent, in a session that the authorization code flow began. */
  readonly allowed?: AllowedApp
  /** The origin of the last request that received tokens, or that began the session. */
  readonly origin?: Origin
  /** Unix time in seconds, accurate to an hour; absent while a personal token is unused. */
  readonly lastUsedAt?: number
  /** True while the user is disabled: no token of the session works. */
  readonly isSuspended?: boolean
}

/** An authorization code, by its hash, and the request that it is bound to. */
export interface AuthorizationCode {
  readonly hash: string
  readonly clientId: string
  readonly userId: string
  readonly redirectUri: string
  /** True when the request named the redirect URI, so the token request must name it too (RFC 6749, 4.1.3). */
  readonly isRedirectNamed: boolean
  /** The app's name at the time of the consent. */
  readonly appName?: string
  /** Hash of the `state` that is returned with the code. */
  readonly stateHash?: string
  /** The S256 challenge of PKCE. */
  readonly challenge?: string
  /** Unix time in seconds. A used code stays for a while longer, so that a reuse is detected. */
  readonly expiresAt: number
  /** The session that the code began. */
  readonly sessionId?: string
}

/** A session in a browser, by the hash of its cookie. */
export interface BrowserSession {
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  /** Unix time in seconds, accurate to an hour. */
  readonly lastUsedAt: number
  readonly origin: Origin
  /** Set when an OpenID provider signed the user in; the provider has a session in the browser as well. */
  readonly by?: 'provider'
}

/** The purpose of a one-time link: to sign in, to set the password of a user, or to create an account. */
export type LinkKind = 'first-sign-in' | 'set-password' | 'invitation'

/** A link that can be used once, by the hash of its secret. */
export interface Link {
  readonly hash: string
  readonly kind: LinkKind
  readonly createdAt: number
  readonly expiresAt: number
  /** The user of the link; absent for an invitation. */
  readonly userId?: string
  /** The user name that an invitation is for, if it has one. */
  readonly name?: string
}

/** A key pair of the server (VAPID), created once. The data folder and each backup contain it. */
export interface Key {
  readonly name: string
  readonly publicKey: string
  readonly privateKey: string
  /** Unix time in seconds. */
  readonly createdAt: number
}

/**
 * Looks things up in the registry; hashes are base64url SHA-256 of the token. Lists of everything are for
 * administrators. The cost of all other functions does not depend on the number of users.
 */
export interface RegistryReader {
  readonly findUser: (id: string) => Promise<User | undefined>
  /** Finds the user with exactly this name. */
  readonly findUserByName: (name: string) => Promise<User | undefined>
  /** Lists users whose names are equal to this one or differ only in case, outer spaces and Unicode's spellings. */
  readonly listUsersNamedLike: (name: string) => Promise<readonly User[]>
  /** Finds the user with this issuer and subject at an OpenID provider. */
  readonly findUserBySubject: (subject: string) => Promise<User | undefined>
  /** Lists users who are marked as administrators. */
  readonly listMarkedAdmins: () => Promise<readonly User[]>
  readonly listUsers: () => Promise<readonly User[]>
  /** Returns true when there is at least one user; the cost does not depend on their number. */
  readonly hasUsers: () => Promise<boolean>
  readonly findApp: (clientId: string) => Promise<App | undefined>
  readonly listApps: () => Promise<readonly App[]>
  readonly listAppsOf: (ownerId: string) => Promise<readonly App[]>
  /** Finds the session with this hash in one of its pairs, whatever the pair's state, or in its personal token. */
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

/** The name of a kind of items. */
export type RegistryKind = keyof RegistryItems

/** The registry during one change. The draft reads its own changes. */
export interface RegistryDraft extends RegistryReader {
  readonly put: <Kind extends RegistryKind>(kind: Kind, item: RegistryItems[Kind]) => Promise<void>
  /** Deletes an item by the id, hash or name that identifies its kind (`registryIds`). */
  readonly delete: (kind: RegistryKind, id: string) => Promise<void>
}

/** Limits that decide which items have ended, in Unix seconds. */
export interface Ended {
  /** Codes and links that expire at or before this time have ended. */
  readonly expiredBy: number
  /** Sessions in browsers that were last used at or before this time have ended. */
  readonly unusedSince: number
}

/**
 * The users, apps, sessions, codes, links and keys of the whole server. Changes happen one after the other. Each change
 * is atomic and durable.
 */
export interface Registry extends RegistryReader {
  /** @throws what the work throws; StoreError when the change cannot be stored */
  readonly change: <T>(work: (draft: RegistryDraft) => Promise<T>) => Promise<T>
  /**
   * Deletes items that have ended. It runs beside changes: no change has to run again because of it. A store may skip
   * the items if it deleted ended items recently, and delete them in a call a minute later.
   * @throws StoreError
   */
  readonly forgetEnded: (ended: Ended) => Promise<void>
}

/**
 * The maximum UTF-16 code units of a user name, wherever a name is read: two for each of the 200 characters that a
 * chosen name may have. Unicode normalization sorts combining marks in quadratic time, so it must never receive a
 * longer text: 64 KB of marks would block the server for more than a second.
 */
export const maxNameLength = 400

/**
 * Normalizes a user name for comparison: no outer spaces, no case, and one of Unicode's spellings (NFKC). It also
 * removes the invisible characters that spelling and emoji may need (`accounts/names.ts`). So names that
 * users take for the same name are equal. A text longer than `maxNameLength` is not a name, and is returned unchanged.
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
