import { right } from '../server/behaviour.ts'
import type { Json, JsonObject } from '../server/world.ts'
import { type Fault, fault, makeFaults, without } from './fault.ts'
import { bodies, data } from './webhook-signature.ts'

/** Faults against what is decided on what messages to webhooks say. */
export const webhookBodyFaults: readonly Fault[] = [
  ...makeFaults(
    data,
    ['hook-pos-missing', 'tells no position', (all) => without(all, 'pos')],
    ['hook-pos-early', 'tells the position before the change', (all) => ({ ...all, pos: Number(all.pos) - 1 })],
    ['hook-pos-beyond', 'tells a position that is not reached yet', (all) => ({ ...all, pos: Number(all.pos) + 1 })],
    ['hook-ids-missing', 'tells no ids', (all) => without(all, 'ids')],
  ),
  fault('hook-ids-of-everything', 'tells the ids of all things', {
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), ids: news.all.map(({ id }) => id) } }
    },
  }),
  fault(
    'hook-ids-of-one',
    'tells one id of each upload',
    data((all) => ({ ...all, ids: (all.ids as Json[]).slice(-1) })),
  ),
  fault('hook-ids-of-other-events', 'tells in ids whatever changed, and not only what the event names', {
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      const ids = news.all.filter(({ position }) => position > news.hook.told).map(({ id }) => id)
      return { ...body, data: { ...(body.data as JsonObject), ids } }
    },
  }),
  fault(
    'hook-type-new-thing',
    'calls every event new_thing',
    bodies((body) => ({ ...body, type: 'new_thing' })),
  ),
  fault('hook-things-first-state', 'tells things as they were created', {
    messageBody: (news, now) =>
      right.messageBody({ ...news, returned: (thing) => news.returned({ ...thing, fields: thing.first }) }, now),
  }),
  fault(
    'hook-things-missing',
    'tells no things',
    data((all) => without(all, 'things')),
  ),
  fault(
    'hook-things-unlike-listing',
    'tells things without their dates',
    data((all) => ({
      ...all,
      ...(all.things === undefined
        ? {}
        : { things: (all.things as JsonObject[]).map((thing) => without(thing, 'date')) }),
    })),
  ),
  fault('hook-things-however-large', 'tells things however large they are', {
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), things: news.things.map(news.returned) } }
    },
  }),
  fault(
    'hook-large-without-ids',
    'tells no ids where it leaves the things out',
    data((all) => (all.things === undefined ? { ...all, ids: [] } : all)),
  ),
  fault('hook-ids-all', 'tells any number of ids', {
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      return { ...body, data: { ...(body.data as JsonObject), ids: news.things.map(({ id }) => id) } }
    },
  }),
  ...makeFaults(
    data,
    ['hook-truncation-unsaid', 'does not say that ids are left out', (all) => without(all, 'truncated')],
    ['hook-truncated-always', 'says of every message that ids are left out', (all) => ({ ...all, truncated: true })],
    ['hook-tags-missing', 'tells no tag settings', (all) => without(all, 'tags')],
  ),
  fault('hook-things-of-deletions', 'tells deleted things in full', {
    messageBody: (news, now) => {
      const body = right.messageBody(news, now)
      const things = [...news.things, ...news.deleted].map(news.returned)
      return { ...body, data: { ...(body.data as JsonObject), things } }
    },
  }),
]
