import { type Behaviour, right } from '../server/behaviour.ts'
import type { Upload } from '../server/right-uploads.ts'
import type { Account, Json, Thing, World } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
import { meet, meetOther } from './meeting.ts'

const { nextPosition } = right

/** A commit that lets another in, and loses something when one came. */
function crowded(before: (upload: Upload) => void, after: (account: Account) => void): Behaviour['commit'] {
  return async (account, work, upload) => {
    const met = await meet(account.memory, 'commit')
    if (met) before(upload)
    work(() => nextPosition(account))
    if (met) after(account)
  }
}

function nothing(): void {}

function thingOfAnybody(world: World, id: Json): Thing | undefined {
  for (const { things } of world.accounts.values()) {
    const thing = things.get(id)
    if (thing?.deleted === false) return thing
  }
  return undefined
}

/** Faults that need two requests at once. */
export const concurrencyFaults: readonly Fault[] = [
  fault('lost-update-under-concurrency', 'writes back what it read before a slow commit', {
    commit: async (account, work) => {
      const copies = [...account.things].map(([id, thing]) => [id, { ...thing }] as const)
      await meet(account.memory, 'commit')
      account.things = new Map(copies)
      work(() => nextPosition(account))
    },
  }),
  fault('parallel-creates-share-id', 'numbers new things before it counts them', {
    newId: ({ things, memory, position }) => {
      const at = memory.get('at') === position ? Number(memory.get('more')) + 1 : 0
      memory.set('at', position).set('more', at)
      return `t${things.size}n${at}`
    },
    commit: async (account, work) => {
      account.memory.delete('at')
      await meet(account.memory, 'commit')
      work(() => nextPosition(account))
    },
  }),
  fault('half-batch-lost', 'applies only half of an upload that meets another', {
    commit: crowded(nothing, ({ things }) => {
      const [last] = [...things.keys()].slice(-1)
      things.delete(last)
    }),
  }),
  fault(
    'parallel-uploads-unanswered',
    'drops half of the new things of an upload that meets another, and their entries in things.new',
    {
      commit: crowded((upload) => {
        upload.created = upload.created.slice(0, Math.floor(upload.created.length / 2))
      }, nothing),
    },
  ),
  fault('parallel-upload-copied', 'shows what two users create at the same time to both', {
    commit: async (account, work, _upload, world) => {
      const met = await meetOther(world, account.username)
      work(() => nextPosition(account))
      const others = [...world.accounts.values()].filter((other) => met && other !== account)
      for (const { things } of others) for (const [id, thing] of account.things) things.set(id, { ...thing })
      for (const { things } of others) for (const [id, thing] of things) account.things.set(id, { ...thing })
    },
  }),
  fault('parallel-deletions-lost', 'forgets the deletions of an upload that meets another', {
    commit: crowded((upload) => {
      upload.deleted = []
    }, nothing),
  }),
  fault('current-user-global', 'keeps the current user in a global variable', {
    delay: async (exchange) => {
      const { world, session } = exchange
      const { memory, accounts } = world
      if (session === undefined) return
      memory.set('user', session.username)
      await meetOther(world, session.username)
      const account = accounts.get(String(memory.get('user')))
      if (account !== undefined) exchange.account = account
    },
  }),
]

/** Faults in keeping accounts apart. */
export const isolationFaults: readonly Fault[] = [
  fault('accounts-share-things', 'keeps one account for everybody', {
    accountOf: (world) => world.accounts.get('alice'),
  }),
  fault('accounts-share-tags', 'keeps one set of tag settings for everybody', {
    tagsOf: (account, world) => world.accounts.get('alice')?.tags ?? account.tags,
  }),
  fault('accounts-share-deltas', 'lists the new things of all accounts after a position', {
    listed: (list, kind, of) => {
      const others = [...of.exchange.world.accounts.values()].filter((account) => account !== of.account)
      const foreign = others.flatMap(({ things }) => [...things.values()]).filter(({ deleted }) => !deleted)
      const added = foreign.map((thing) => ({ id: thing.id, json: right.thing(thing, false) }))
      return of.full || kind === 'deleted' ? list : [...list, ...added]
    },
  }),
  fault('deletion-crosses-accounts', 'deletes things of other accounts', {
    findToDelete: (_account, id, world) => thingOfAnybody(world, id),
  }),
  fault('change-crosses-accounts', 'changes things of other accounts', {
    findToChange: (_account, id, world) => thingOfAnybody(world, id),
  }),
]
