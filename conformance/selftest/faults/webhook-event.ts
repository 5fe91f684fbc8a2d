import { type Behaviour, right } from '../server/behaviour.ts'
import type { Kind } from '../server/right-delivery.ts'
import type { Hook, Json, JsonObject } from '../server/world.ts'
import { type Fault, fault, makeFaults } from './fault.ts'

/** Webhooks that want a kind of change (any kind by default), or do not, when they are for an event (any by default). */
const kinds = (wants: boolean, forEvent?: string, ofKind?: Kind): Partial<Behaviour> => ({
  wantsKind: (event, kind) => {
    const applies = (forEvent ?? event) === event && (ofKind ?? kind) === kind
    return applies ? wants : right.wantsKind(event, kind)
  },
})

/** Faults against what is decided on which webhook is told of what. */
export const webhookEventFaults: readonly Fault[] = [
  ...makeFaults(
    kinds,
    ['hook-event-ignored', 'tells every webhook of everything', true],
    ['hook-new-told-of-changes', 'tells a webhook for new things of changes', true, 'new_thing', 'changed_thing'],
    ['hook-new-told-of-deletions', 'tells a webhook for new things of deletions', true, 'new_thing', 'deleted_thing'],
    ['hook-new-told-of-tags', 'tells a webhook for new things of tag settings', true, 'new_thing', 'tag'],
    ['hook-changed-told-of-new', 'takes new things for changed ones', true, 'changed_thing', 'new_thing'],
    ['hook-changed-told-of-deletions', 'takes deletions for changes', true, 'changed_thing', 'deleted_thing'],
    [
      'hook-deleted-told-of-changes',
      'tells a webhook for deletions of changes',
      true,
      'deleted_thing',
      'changed_thing',
    ],
    ['hook-tag-told-of-things', 'tells a webhook for tags of things', true, 'tag', 'changed_thing'],
    ['hook-changes-untold', 'tells webhooks for changed things nothing', false, 'changed_thing'],
    ['hook-deletions-untold', 'tells webhooks for deletions nothing', false, 'deleted_thing'],
    ['hook-tags-untold', 'tells webhooks for tags nothing', false, 'tag'],
    ['hook-any-without-changes', 'leaves changes out of any', false, 'any', 'changed_thing'],
    ['hook-any-without-deletions', 'leaves deletions out of any', false, 'any', 'deleted_thing'],
    ['hook-any-without-tags', 'leaves tags out of any', false, 'any', 'tag'],
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
