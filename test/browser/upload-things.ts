import { runCli } from '../support/run-cli.ts'

/** Things as another device uploads them. */
export interface OtherDevice {
  /** Creates things, in uploads of at most 100; returns their ids in the same order. */
  readonly add: (things: readonly object[]) => Promise<readonly string[]>
  /** All things as the server has them, by id. */
  readonly list: () => Promise<ReadonlyMap<string, object>>
}

const perUpload = 100

/** Another device of anna, by a token of her own. */
export const openOtherDevice = async (data: string, home: string): Promise<OtherDevice> => {
  const { stdout } = await runCli(['token', 'add', 'other', '--user', 'anna', '--format', 'json', '--data', data])
  const { token } = JSON.parse(stdout) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sync = async (upload: object) => {
    const response = await fetch(`${home}v1/sync`, { method: 'POST', headers, body: JSON.stringify(upload) })
    if (response.status !== 200) throw new Error(`the server responded with an error: ${await response.text()}`)
    const { things } = (await response.json()) as {
      readonly things?: {
        readonly new?: Readonly<Record<string, string>>
        readonly changed?: readonly { readonly _id: string }[]
      }
    }
    return things
  }
  return {
    add: async (things) => {
      const named = things.map((thing, index) => ({ local_id: `n${index}`, date: index, ...thing }))
      const ids: string[] = []
      for (let first = 0; first < named.length; first += perUpload) {
        const part = named.slice(first, first + perUpload)
        const created = (await sync({ new_thing: part, limit: 0 }))?.new ?? {}
        ids.push(...part.map(({ local_id }) => created[local_id] ?? ''))
      }
      return ids
    },
    list: async () => new Map((await sync({}))?.changed?.map((thing) => [thing._id, thing])),
  }
}
