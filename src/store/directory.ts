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
}

/** A registered application (interface 5). Only the SHA-256 of its secret is kept. */
export interface App {
  readonly clientId: string
  readonly name: string
  readonly secretHash: string
  readonly createdAt: number
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

/** What begins with one grant and goes on through its refreshes: one app of one user on one device. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly createdAt: number
  readonly pairs: readonly TokenPair[]
}

/** Looking things up in the directory; hashes are base64url SHA-256 of the token. */
export interface DirectoryReader {
  readonly findUser: (id: string) => Promise<User | undefined>
  /** The user whose name is this one, to the letter. */
  readonly findUserByName: (name: string) => Promise<User | undefined>
  /** Users whose names differ from this one by nothing or only by case, outer spaces and Unicode's spellings. */
  readonly listUsersNamedLike: (name: string) => Promise<readonly User[]>
  readonly listUsers: () => Promise<readonly User[]>
  readonly findApp: (clientId: string) => Promise<App | undefined>
  readonly listApps: () => Promise<readonly App[]>
  /** The session that one of its pairs gives this access token's hash, whatever the pair's state. */
  readonly findSessionByAccessHash: (hash: string) => Promise<Session | undefined>
  readonly findSessionByRequestHash: (hash: string) => Promise<Session | undefined>
  readonly listSessions: (userId: string) => Promise<readonly Session[]>
}

/** The directory while one change is at work on it: it reads its own changes. */
export interface DirectoryDraft extends DirectoryReader {
  readonly putUser: (user: User) => Promise<void>
  readonly deleteUser: (id: string) => Promise<void>
  readonly putApp: (app: App) => Promise<void>
  readonly deleteApp: (clientId: string) => Promise<void>
  readonly putSession: (session: Session) => Promise<void>
  readonly deleteSession: (id: string) => Promise<void>
}

/** Users, apps and sessions of the whole server. Changes happen one after the other, all or nothing, durable. */
export interface Directory extends DirectoryReader {
  /** @throws what the work throws; StoreFailed when the change cannot be kept */
  readonly change: <T>(work: (draft: DirectoryDraft) => Promise<T>) => Promise<T>
}
