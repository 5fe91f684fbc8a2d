import { right } from '../server/behaviour.ts'
import type { Json, JsonObject } from '../server/world.ts'
import { type Fault, without } from './fault.ts'
import { bodies, data } from './webhook-signature.ts'

/** Faults against what is decided on what messages to webhooks say. */
export const webhookBodyFaults: readonly Fault[] = [
  { id: 'hook-pos-missing', title: 'tells no position', behaviour: data((all) => without(all, 'pos')) },
  {
    id: 'hook-pos-early',
    title: 'tells the position before the change',
    behaviour: data((all) => ({ ...all, pos: Number(all.pos) - 1 })),
  },
  {
    id: 'hook-pos-beyond',
    title: 'tells a position that is not reached yet',
    behaviour: data((all) => ({ ...all, pos: Number(all.pos) + 1 })),
  },
  { id: 'hook-ids-missing', title: 'tells no ids', behaviour: data((all) => without(all, 'ids')) },
  {
    id: 'hook-ids-of-everything',
    title: 'tells the ids of all things',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), ids: news.all.map(({ id }) => id) } }
      },
    },
  },
  {
    id: 'hook-ids-of-one',
    title: 'tells one id of each upload',
    behaviour: data((all) => ({ ...all, ids: (all.ids as Json[]).slice(-1) })),
  },
  {
    id: 'hook-ids-of-other-events',
    title: 'tells in ids whatever changed, and not only what the event names',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        const ids = news.all.filter(({ position }) => position > news.hook.told).map(({ id }) => id)
        return { ...body, data: { ...(body.data as JsonObject), ids } }
      },
    },
  },
  {
    id: 'hook-type-new-thing',
    title: 'calls every event new_thing',
    behaviour: bodies((body) => ({ ...body, type: 'new_thing' })),
  },
  {
    id: 'hook-things-first-state',
    title: 'tells things as they were created',
    behaviour: {
      messageBody: (news, now) =>
        right.messageBody({ ...news, returned: (thing) => news.returned({ ...thing, fields: thing.first }) }, now),
    },
  },
  { id: 'hook-things-missing', title: 'tells no things', behaviour: data((all) => without(all, 'things')) },
  {
    id: 'hook-things-unlike-listing',
    title: 'tells things without their dates',
    behaviour: data((all) => ({
      ...all,
      ...(all.things === undefined
        ? {}
        : { things: (all.things as JsonObject[]).map((thing) => without(thing, 'date')) }),
    })),
  },
  {
    id: 'hook-things-however-large',
    title: 'tells things however large they are',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), things: news.things.map(news.returned) } }
      },
    },
  },
  {
    id: 'hook-large-without-ids',
    title: 'tells no ids where it leaves the things out',
    behaviour: data((all) => (all.things === undefined ? { ...all, ids: [] } : all)),
  },
  {
    id: 'hook-ids-all',
    title: 'tells any number of ids',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        return { ...body, data: { ...(body.data as JsonObject), ids: news.things.map(({ id }) => id) } }
      },
    },
  },
  {
    id: 'hook-truncation-unsaid',
    title: 'does not say that ids are left out',
    behaviour: data((all) => without(all, 'truncated')),
  },
  {
    id: 'hook-truncated-always',
    title: 'says of every message that ids are left out',
    behaviour: data((all) => ({ ...all, truncated: true })),
  },
  { id: 'hook-tags-missing', title: 'tells no tag settings', behaviour: data((all) => without(all, 'tags')) },
  {
    id: 'hook-things-of-deletions',
    title: 'tells deleted things in full',
    behaviour: {
      messageBody: (news, now) => {
        const body = right.messageBody(news, now)
        const things = [...news.things, ...news.deleted].map(news.returned)
        return { ...body, data: { ...(body.data as JsonObject), things } }
      },
    },
  },
]
