import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { addApp, addUser, openJsonFileStore, systemEnvironment } from '../../src/index.ts'

/** A thing in the form of an upload (interface 2.1). */
export interface UploadedThing {
  readonly local_id: string
  readonly title: string
  readonly tags: string
  readonly date: number
  readonly url: string
  readonly html?: string
}

const words = 'paper bridge river morning letter window garden orange silver market winter travel kitchen music'.split(
  ' ',
)
const foreignWords = ['Grüße', 'naïve', '東京の地図', 'привет', 'žluťoučký', 'café ☕']

/**
 * Creates things of about 300 bytes in their returned form. A fifth of them has a title with non-ASCII characters. The
 * same numbers give the same things in every run.
 */
export const createThings = (first: number, count: number): UploadedThing[] =>
  Array.from({ length: count }, (_, index) => createThing(first + index))

const createThing = (number: number): UploadedThing => {
  const pick = (salt: number) => words[(number * 31 + salt * 17 + (number >> 5)) % words.length] ?? ''
  const foreign = number % 5 === 0 ? ` ${foreignWords[number % foreignWords.length]}` : ''
  const html = `<p>${Array.from({ length: number % 33 }, (_, salt) => pick(salt + 7)).join(' ')}</p>`
  return {
    local_id: String(number),
    title: `${pick(1)} ${pick(2)} ${pick(3)} ${number}${foreign}`,
    tags: `${pick(4)}, ${pick(5)}`,
    date: 1_700_000_000 + number,
    url: `https://example.org/${pick(6)}/${number}`,
    ...(number % 8 === 0 ? {} : { html }),
  }
}

/** Creates a form with all things in one `new_thing` (interface 4.3). */
export const createForm = (things: readonly UploadedThing[]): string =>
  new URLSearchParams({ new_thing: JSON.stringify(things) }).toString()

/** Creates a form with one `new_thing[]` for each thing (interface 4.3). */
export const createRepeatedForm = (things: readonly UploadedThing[]): string =>
  new URLSearchParams(things.map((thing): [string, string] => ['new_thing[]', JSON.stringify(thing)])).toString()

/** Maximum number of things that the server takes in one request; the body then has about 30 MB. */
const maxPerUpload = 100_000

/** Uploads a body of `POST /sync` as JSON. `limit=0`: the response lists no things. Returns the new position. */
const upload = async (port: number, token: string, body: object): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limit: 0, ...body }),
  })
  if (!response.ok)
    throw new Error(`the response to an upload has status ${response.status}: ${(await response.text()).slice(0, 200)}`)
  return ((await response.json()) as { pos: number }).pos
}

/** Uploads `count` things over HTTP, in at most ten requests up to a million things. @throws Error when one fails */
export const fill = async (port: number, token: string, count: number): Promise<void> => {
  for (let done = 0; done < count; ) {
    const size = Math.min(count - done, maxPerUpload, Math.max(1_000, count / 10))
    await upload(port, token, { new_thing: createThings(done, size) })
    done += size
  }
}

/** Changes the title of each thing once. The new titles have about the same length. */
export const changeThings = async (port: number, token: string, ids: readonly string[]): Promise<void> => {
  for (let done = 0; done < ids.length; done += maxPerUpload) {
    const changed = ids.slice(done, done + maxPerUpload)
    await upload(port, token, { changed_thing: changed.map((id) => ({ _id: id, title: 'changed since the start' })) })
  }
}

/** Changes one thing `times` times. */
export const changeOne = async (port: number, token: string, id: string, times: number): Promise<void> => {
  for (let done = 0; done < times; done += maxPerUpload) {
    const count = Math.min(times - done, maxPerUpload)
    const changes = Array.from({ length: count }, (_, index) => ({ _id: id, title: `change ${done + index}` }))
    await upload(port, token, { changed_thing: changes })
  }
}

/** Lists the ids of the things of one page, in the order of their last change. */
export const listIds = async (
  port: number,
  token: string,
  page: { skip: number; limit: number },
): Promise<string[]> => {
  const query = new URLSearchParams({ skip: String(page.skip), limit: String(page.limit) })
  const response = await fetch(`http://127.0.0.1:${port}/v1/sync?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { things } = (await response.json()) as { things?: { changed?: { _id: string }[] } }
  return (things?.changed ?? []).map((thing) => thing._id)
}

/** Reads the current position of the account. */
export const readPosition = (port: number, token: string): Promise<number> => upload(port, token, {})

const bookmarksAtOnce = 1000

/** Writes a file of bookmarks as browsers do, with distinct URLs. Half of the bookmarks have a note. */
export const writeBookmarks = async (path: string, count: number): Promise<void> => {
  const file = await open(path, 'w')
  await file.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n')
  for (let first = 0; first < count; first += bookmarksAtOnce) {
    const lines = createThings(first, Math.min(bookmarksAtOnce, count - first)).map(
      ({ title, tags, date, html }, index) =>
        `<DT><A HREF="https://example.org/page/${first + index}" ADD_DATE="${date}" TAGS="${tags.replaceAll(' ', ',')}">${escapeText(title)}</A>\n${
          index % 2 === 0 ? `<DD>${escapeText(html ?? title)}\n` : ''
        }`,
    )
    await file.write(lines.join(''))
  }
  await file.write('</DL><p>\n')
  await file.close()
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The credentials for the measured server: an app, and the names of the users (`password` is their password). */
export interface Enrollment {
  readonly clientId: string
  readonly clientSecret: string
  readonly users: readonly string[]
}

/** The password of every user of the bench. */
export const password = 'correct horse battery'

/** Number of accounts to write at the same time. */
const accountsAtOnce = 256

/** Creates users and an app in a data folder that no server has open. */
export const enroll = async (folder: string, userCount: number): Promise<Enrollment> => {
  const store = await openJsonFileStore({ folder })
  const { clientId, clientSecret } = await addApp(store, 'bench', systemEnvironment)
  const users = Array.from({ length: userCount }, (_, index) => `user-${index}`)
  for (const name of users) await addUser(store, { name, password }, systemEnvironment)
  await store.close()
  return { clientId, clientSecret, users }
}

/**
 * Adds `count` accounts with a few things each. The accounts share one password hash, because hashing would take most of
 * the time; no client signs in to them.
 */
export const addManyAccounts = async (folder: string, count: number, thingsEach: number): Promise<void> => {
  const store = await openJsonFileStore({ folder })
  const { passwordHash } = await addUser(store, { name: 'first-of-many', password }, systemEnvironment)
  const ids = Array.from({ length: count }, () => systemEnvironment.newId())
  await store.registry.change(async (registry) => {
    for (const [index, id] of ids.entries()) {
      await registry.put('users', { id, name: `many-${index}`, passwordHash, createdAt: 1_700_000_000 })
    }
  })
  for (let first = 0; first < count; first += accountsAtOnce) {
    await Promise.all(
      ids.slice(first, first + accountsAtOnce).map((id) =>
        store.write(id, 'bench', async (draft) => {
          for (const { local_id: _, ...thing } of createThings(0, thingsEach)) {
            await draft.putThing({ ...thing, id: systemEnvironment.newId(), archived: false, todoStatus: false })
          }
        }),
      ),
    )
  }
  await store.close()
}

/** A hash that matches no password. It is well-formed, because `thingsync copy` checks the format of hashes. */
const unusableHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Creates users without passwords in a data folder that no server has open. Each has `each` personal access tokens, the
 * first user has `ofFirst`. Returns the tokens, user by user.
 */
export const enrolTokens = async (
  folder: string,
  userCount: number,
  each = 1,
  ofFirst = each,
): Promise<readonly string[]> => {
  const store = await openJsonFileStore({ folder })
  const createdAt = Math.floor(Date.now() / 1000)
  const tokens: string[] = []
  await store.registry.change(async (registry) => {
    for (let index = 0; index < userCount; index += 1) {
      const userId = systemEnvironment.newId()
      await registry.put('users', { id: userId, name: `user-${index}`, passwordHash: unusableHash, createdAt })
      for (let count = 0; count < (index === 0 ? ofFirst : each); count += 1) {
        const [id, token] = [systemEnvironment.newId(), systemEnvironment.newSecret()]
        const personal = { name: 'bench', hash: hash('sha256', token, 'base64url'), isReadOnly: false }
        await registry.put('sessions', {
          id,
          userId,
          clientId: id,
          createdAt,
          pairs: [],
          personal,
          lastUsedAt: createdAt,
        })
        tokens.push(token)
      }
    }
  })
  await store.close()
  return tokens
}

/** Creates the form of a token request with a password (interface 3). */
export const passwordForm = ({ clientId, clientSecret }: Enrollment, username: string): string =>
  new URLSearchParams({
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username,
    password,
  }).toString()

/** Signs a user in and returns the access token of the new session. @throws Error for any status but 2xx */
export const signIn = async (port: number, enrollment: Enrollment, username = 'user-0'): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: passwordForm(enrollment, username),
  })
  if (!response.ok) throw new Error(`the response to a sign-in has status ${response.status}`)
  return ((await response.json()) as { access_token: string }).access_token
}
