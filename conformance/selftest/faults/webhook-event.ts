import { type Behaviour, right } from '../server/behaviour.ts'
import type { Kind } from '../server/right-delivery.ts'
import type { Hook, Json, JsonObject } from '../server/world.ts'
import type { Fault } from './fault.ts'

/** Webhooks that want other kinds of change. */
const kinds = (edit: (event: string, kind: Kind) => boolean | undefined): Partial<Behaviour> => ({
  wantsKind: (event, kind) => edit(event, kind) ?? right.wantsKind(event, kind),
})

/** Faults against what is decided on which webhook is told of what. */
export const webhookEventFaults: readonly Fault[] = [
  { id: 'hook-event-ignored', title: 'tells every webhook of everything', behaviour: kinds(() => true) },
  {
    id: 'hook-new-told-of-changes',
    title: 'tells a webhook for new things of changes',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-new-told-of-deletions',
    title: 'tells a webhook for new things of deletions',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'deleted_thing' ? true : undefined)),
  },
  {
    id: 'hook-new-told-of-tags',
    title: 'tells a webhook for new things of tag settings',
    behaviour: kinds((event, kind) => (event === 'new_thing' && kind === 'tag' ? true : undefined)),
  },
  {
    id: 'hook-changed-told-of-new',
    title: 'takes new things for changed ones',
    behaviour: kinds((event, kind) => (event === 'changed_thing' && kind === 'new_thing' ? true : undefined)),
  },
  {
    id: 'hook-changed-told-of-deletions',
    title: 'takes deletions for changes',
    behaviour: kinds((event, kind) => (event === 'changed_thing' && kind === 'deleted_thing' ? true : undefined)),
  },
  {
    id: 'hook-deleted-told-of-changes',
    title: 'tells a webhook for deletions of changes',
    behaviour: kinds((event, kind) => (event === 'deleted_thing' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-tag-told-of-things',
    title: 'tells a webhook for tags of things',
    behaviour: kinds((event, kind) => (event === 'tag' && kind === 'changed_thing' ? true : undefined)),
  },
  {
    id: 'hook-changes-untold',
    title: 'tells webhooks for changed things nothing',
    behaviour: kinds((event) => (event === 'changed_thing' ? false : undefined)),
  },
  {
    id: 'hook-deletions-untold',
    title: 'tells webhooks for deletions nothing',
    behaviour: kinds((event) => (event === 'deleted_thing' ? false : undefined)),
  },
  {
    id: 'hook-tags-untold',
    title: 'tells webhooks for tags nothing',
    behaviour: kinds((event) => (event === 'tag' ? false : undefined)),
  },
  {
    id: 'hook-any-without-changes',
    title: 'leaves changes out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'changed_thing' ? false : undefined)),
  },
  {
    id: 'hook-any-without-deletions',
    title: 'leaves deletions out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'deleted_thing' ? false : undefined)),
  },
  {
    id: 'hook-any-without-tags',
    title: 'leaves tags out of any',
    behaviour: kinds((event, kind) => (event === 'any' && kind === 'tag' ? false : undefined)),
  },
  {
    id: 'hook-told-of-the-past',
    title: 'tells a new webhook of everything that there is',
    behaviour: { toldAtFirst: () => 0 },
  },
  {
    id: 'hook-told-again',
    title: 'tells with each message what the one before told',
    behaviour: (() => {
      const before = new WeakMap<Hook, Json[]>()
      return {
        messageBody: (news, now) => {
          const body = right.messageBody(news, now)
          const all = body.data as JsonObject
          const ids = all.ids as Json[]
          const again = before.get(news.hook) ?? []
          before.set(news.hook, ids)
          return { ...body, data: { ...all, ids: [...again, ...ids] } }
        },
      } satisfies Partial<Behaviour>
    })(),
  },
  {
    id: 'hook-told-with-other-users',
    title: "tells of other users' things with the next change of its own user",
    behaviour: {
      newsOf: (account, { accounts }) =>
        [...accounts.values()].map((each) => {
          const { position } = account
          const things = [...each.things].map(([id, thing]) => [id, { ...thing, position, created: position }] as const)
          return each === account ? account : { ...each, position, things: new Map(things) }
        }),
    },
  },
  {
    id: 'hook-told-of-all-users',
    title: 'tells webhooks of the changes of all users',
    behaviour: {
      toldOf: (_account, world) => [...world.accounts.values()],
      newsOf: (_account, world) => [...world.accounts.values()],
    },
  },
]
