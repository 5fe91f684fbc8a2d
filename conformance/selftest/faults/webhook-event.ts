import { type Behaviour, right } from '../server/behaviour.ts'
import type { Kind } from '../server/right-delivery.ts'
import type { Hook, Json, JsonObject } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'

/** Webhooks that want other kinds of change. */
const kinds = (edit: (event: string, kind: Kind) => boolean | undefined): Partial<Behaviour> => ({
  wantsKind: (event, kind) => edit(event, kind) ?? right.wantsKind(event, kind),
})

/** Faults against what is decided on which webhook is told of what. */
export const webhookEventFaults: readonly Fault[] = [
  fault(
    'hook-event-ignored',
    'tells every webhook of everything',
    kinds(() => true),
  ),
  fault(
    'hook-new-told-of-changes',
    'tells a webhook for new things of changes',
    kinds((event, kind) => (event === 'new_thing' && kind === 'changed_thing' ? true : undefined)),
  ),
  fault(
    'hook-new-told-of-deletions',
    'tells a webhook for new things of deletions',
    kinds((event, kind) => (event === 'new_thing' && kind === 'deleted_thing' ? true : undefined)),
  ),
  fault(
    'hook-new-told-of-tags',
    'tells a webhook for new things of tag settings',
    kinds((event, kind) => (event === 'new_thing' && kind === 'tag' ? true : undefined)),
  ),
  fault(
    'hook-changed-told-of-new',
    'takes new things for changed ones',
    kinds((event, kind) => (event === 'changed_thing' && kind === 'new_thing' ? true : undefined)),
  ),
  fault(
    'hook-changed-told-of-deletions',
    'takes deletions for changes',
    kinds((event, kind) => (event === 'changed_thing' && kind === 'deleted_thing' ? true : undefined)),
  ),
  fault(
    'hook-deleted-told-of-changes',
    'tells a webhook for deletions of changes',
    kinds((event, kind) => (event === 'deleted_thing' && kind === 'changed_thing' ? true : undefined)),
  ),
  fault(
    'hook-tag-told-of-things',
    'tells a webhook for tags of things',
    kinds((event, kind) => (event === 'tag' && kind === 'changed_thing' ? true : undefined)),
  ),
  fault(
    'hook-changes-untold',
    'tells webhooks for changed things nothing',
    kinds((event) => (event === 'changed_thing' ? false : undefined)),
  ),
  fault(
    'hook-deletions-untold',
    'tells webhooks for deletions nothing',
    kinds((event) => (event === 'deleted_thing' ? false : undefined)),
  ),
  fault(
    'hook-tags-untold',
    'tells webhooks for tags nothing',
    kinds((event) => (event === 'tag' ? false : undefined)),
  ),
  fault(
    'hook-any-without-changes',
    'leaves changes out of any',
    kinds((event, kind) => (event === 'any' && kind === 'changed_thing' ? false : undefined)),
  ),
  fault(
    'hook-any-without-deletions',
    'leaves deletions out of any',
    kinds((event, kind) => (event === 'any' && kind === 'deleted_thing' ? false : undefined)),
  ),
  fault(
    'hook-any-without-tags',
    'leaves tags out of any',
    kinds((event, kind) => (event === 'any' && kind === 'tag' ? false : undefined)),
  ),
  fault('hook-told-of-the-past', 'tells a new webhook of everything that there is', { toldAtFirst: () => 0 }),
  fault(
    'hook-told-again',
    'tells with each message what the one before told',
    (() => {
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
  ),
  fault('hook-told-with-other-users', "tells of other users' things with the next change of its own user", {
    newsOf: (account, { accounts }) =>
      [...accounts.values()].map((each) => {
        const { position } = account
        const things = [...each.things].map(([id, thing]) => [id, { ...thing, position, created: position }] as const)
        return each === account ? account : { ...each, position, things: new Map(things) }
      }),
  }),
  fault('hook-told-of-all-users', 'tells webhooks of the changes of all users', {
    toldOf: (_account, world) => [...world.accounts.values()],
    newsOf: (_account, world) => [...world.accounts.values()],
  }),
]
