import { openFileServer, type TestServer } from '../support/open-test-server.ts'

/** One of the items that the pictures and the looks at the app show. */
interface Furniture {
  readonly title: string
  readonly url?: string
  readonly tags?: string
  /** A day of 2026, as it is written in the list. */
  readonly day: string
  readonly todoStatus?: boolean
  readonly archived?: boolean
  readonly html?: string
}

/** The title of the item that the screens of one item show. */
export const readThing = 'Local-first software: you own your data, in spite of the cloud'

/** A title that is longer than any line, written from the right. */
export const longTitle =
  'כותרת ארוכה מאוד שנכתבת מימין לשמאל, עם כתובת https://example.com/אחת בתוכה ועוד מילים רבות שאינן נכנסות לשורה אחת'

/** From the latest to the earliest, as the list shows them. */
const things: readonly Furniture[] = [
  { title: 'Oat milk, coffee, something green', tags: 'shopping', day: '11-21', todoStatus: false },
  { title: 'Bread from the baker', tags: 'shopping', day: '11-21', todoStatus: true },
  {
    title: readThing,
    url: 'https://www.inkandswitch.com/essay/local-first/',
    tags: 'reading sync',
    day: '11-20',
    html: '<p>Seven ideals for software that keeps working <em>offline</em> and lets people work together:</p><ol><li>No spinners: your work at your fingertips</li><li>Your work is not trapped on one device</li><li>The network is optional</li></ol><blockquote><p>You own your data, in spite of the cloud.</p></blockquote><p>Compare with the notes on <a href="https://crdt.tech/">crdt.tech</a>, and see how <code>pos</code> does it here.</p>',
  },
  { title: 'Call the plumber about the bathroom', tags: 'home', day: '11-19', todoStatus: false },
  { title: 'CRDT papers, a reading list', url: 'https://crdt.tech/papers.html', tags: 'reading sync', day: '11-18' },
  { title: longTitle, tags: 'reading', day: '11-17' },
  {
    title: 'Lentil soup with lemon and cumin',
    url: 'https://example.org/recipes/lentil-soup',
    tags: 'cooking',
    day: '11-15',
    html: '<p>Double the cumin.</p>',
  },
  {
    title: 'Night trains from Berlin in spring',
    url: 'https://example.net/night-trains',
    tags: 'travel',
    day: '11-12',
  },
  {
    title:
      'A title that goes on for much longer than any phone is wide, because some pages put their whole story there',
    url: 'https://a-rather-long-host-name.newspaper.example.com/2026/11/a-story',
    tags: 'reading travel cooking sync',
    day: '11-10',
  },
  { title: 'Water the ferns', tags: 'home', day: '11-09', todoStatus: true },
  { title: 'Ideas for the allotment', tags: 'garden', day: '11-07' },
  { title: 'Returned: library books', tags: 'home', day: '10-30', archived: true },
]

const toSeconds = (day: string): number => Date.parse(`2026-${day}T09:30:00Z`) / 1000

/** Gives the user the items and tags that every look at the app shows. */
export const furnishWeb = async (server: TestServer, userName = 'anna'): Promise<void> => {
  const device = await server.openDevice(userName)
  await device.sync({
    from: 0,
    new_thing: things.map(({ day, ...thing }, index) => ({
      local_id: String(index + 1),
      // Apart by a second, so that the list has one order.
      date: toSeconds(day) - index,
      ...thing,
    })),
    tag: {
      shopping: { color: '#2f7d4f', favorite: true, todo: 'strike' },
      home: { color: '#b5541c', favorite: true, todo: 'strike' },
      reading: { color: '#3b5fa8', favorite: true },
      cooking: { color: '#f2c14e' },
      travel: { color: '#7a4f9a' },
    },
  })
}

/** Where the scenes are played: `anna` has items, `bert` has none. */
export interface Stage {
  readonly server: TestServer
  readonly home: string
}

/** Opens a furnished server for all tests of a file. */
export const openStage = async (): Promise<Stage> => {
  const server = await openFileServer({ settings: { web: true } })
  await server.addUser('bert')
  await furnishWeb(server)
  return { server, home: server.baseUrl.replace(/v1\/$/, '') }
}
