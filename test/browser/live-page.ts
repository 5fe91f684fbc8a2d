import {
  createClient,
  createMemoryTokenStorage,
  createReplica,
  isClientError,
  type Live,
} from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'

/** The options that a test gives the page when it begins. */
export interface PageStart {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly username: string
  /** Signs in and goes live; false only shows what is kept. */
  readonly isLive: boolean
}

const show = (id: string, text: string) => {
  const part = document.getElementById(id)
  if (part !== null) part.textContent = text
}

/** A page that shows the titles of all things, and how it is kept in step by events alone. */
const begin = async ({ username, isLive, ...server }: PageStart) => {
  const client = createClient({ ...server, tokens: createMemoryTokenStorage() })
  const store = await openIndexedDbStore('things')
  const replica = await createReplica({ client, store })
  const draw = async () => {
    const titles: string[] = []
    for await (const { title } of replica.listThings()) titles.push(title)
    show('things', titles.sort().join(', '))
  }
  let live: Live | undefined
  replica.watch(draw)
  await draw()
  if (isLive) {
    await client.signIn(username, 'correct horse')
    // A change that came by asking would come too late for the test.
    const times = { pollMilliseconds: 86_400_000, maxMilliseconds: 500 }
    const onState = ({ status, pending }: { status: string; pending: number }) => show('state', `${status} ${pending}`)
    live = replica.live({ ways: ['events'], ...times, onState })
  }
  return {
    add: (title: string, html = '') => replica.create({ title, html }),
    /** Writes until there is no room, and gives what is said then. */
    fill: async () => {
      try {
        for (let index = 0; index < 100; index++) {
          // Something that the database cannot press together.
          const bytes = crypto.getRandomValues(new Uint8Array(60_000))
          await store.write(new Map([[`filling/${index}`, Array.from(bytes).join()]]))
        }
        return 'never full'
      } catch (error) {
        return isClientError(error) ? error.code : String(error)
      }
    },
    stop: () => live?.stop(),
  }
}

/** What tests call in the page. */
export type LivePage = Awaited<ReturnType<typeof begin>>

Object.assign(globalThis, {
  begin: async (start: PageStart) => {
    Object.assign(globalThis, { livePage: await begin(start) })
  },
})
