import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import { hasUpload } from '../server/upload.ts'
import type { World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import { breakIn, type Fault, fault } from './fault.ts'

const { findAccessToken } = right

/** Does something for alice although the request was refused for its token, or for want of one. */
function refusedAnd(
  work: (exchange: Exchange, world: World) => void,
  applies: (exchange: Exchange) => boolean,
): Partial<Behaviour> {
  return {
    tokenBeforeBody: false,
    reply: (reply, exchange) => {
      if (reply.status === 401 && exchange.path === 'sync' && applies(exchange)) work(exchange, exchange.world)
      return reply
    },
  }
}

function given({ body }: Exchange, name: string): string | undefined {
  return body.find(([other]) => other === name)?.[1] as string | undefined
}

function aliceOf(world: World) {
  const account = world.accounts.get('alice')
  if (account === undefined) throw new Error('there is always an alice')
  return account
}

function createIt(exchange: Exchange, world: World): void {
  const text = given(exchange, 'new_thing')
  if (text === undefined) return
  const { title = '' } = JSON.parse(String(text)) as { title?: string }
  const account = aliceOf(world)
  addThing(account, breakIn(world).session, right.newId(account, world), { title }, right.nextPosition(account))
}

function changeIt(exchange: Exchange, world: World): void {
  const { _id: id, title } = JSON.parse(String(given(exchange, 'changed_thing') ?? '{}')) as {
    _id?: string
    title?: string
  }
  const thing = aliceOf(world).things.get(id)
  if (thing !== undefined && title !== undefined) thing.fields.title = title
}

function deleteIt(exchange: Exchange, world: World): void {
  const thing = aliceOf(world).things.get(given(exchange, 'deleted_thing'))
  if (thing !== undefined) thing.deleted = true
}

function tagIt(exchange: Exchange, world: World): void {
  const name = exchange.body.map(([other]) => /^tag\[(.*)\]$/.exec(other)?.[1]).find((found) => found !== undefined)
  const settings = { favorite: true, color: false, todo: false } as const
  if (name !== undefined) aliceOf(world).tags.set(name, { settings, position: right.nextPosition(aliceOf(world)) })
}

function hasToken({ authorization, query, body }: Exchange): boolean {
  return authorization !== undefined || [...query, ...body].some(([name]) => name === 'access_token')
}

/**
 * Tokens that are refused, and what they asked for is done; and tokens that count for one kind of request alone
 * (interface 5.3, 7).
 */
export const refusedAndDoneFaults: readonly Fault[] = [
  fault('invalid-token-changes', 'changes things before it looks at the token', refusedAnd(changeIt, hasToken)),
  fault('invalid-token-deletes', 'deletes things before it looks at the token', refusedAnd(deleteIt, hasToken)),
  fault('invalid-token-sets-tags', 'sets tags before it looks at the token', refusedAnd(tagIt, hasToken)),
  fault(
    'invalid-token-in-form-creates',
    'creates things before it looks at the token in the form',
    refusedAnd(createIt, (exchange) => given(exchange, 'access_token') !== undefined),
  ),
  fault(
    'no-token-deletes',
    'deletes things for whoever gives no token',
    refusedAnd(deleteIt, (exchange) => !hasToken(exchange)),
  ),
  fault(
    'no-token-creates',
    'creates things for whoever gives no token',
    refusedAnd(createIt, (exchange) => !hasToken(exchange)),
  ),
  fault('header-token-refused-with-upload', 'reads no header beside an upload', {
    findAccessToken: (world, token, way, exchange) =>
      way === 'header' && hasUpload(exchange) ? undefined : findAccessToken(world, token, way, exchange),
    tokenBeforeBody: false,
  }),
  fault('form-token-refused-with-upload', 'takes a token in the form for reading only', {
    findAccessToken: (world, token, way, exchange) =>
      way === 'form' && hasUpload(exchange) ? undefined : findAccessToken(world, token, way, exchange),
  }),
  fault('form-token-other-account', 'writes for somebody else when the token is in the form', {
    accountOf: (world, session, exchange) => world.accounts.get(exchange.way === 'form' ? 'bob' : session.username),
  }),
  fault('header-token-read-only', 'ignores uploads when the token is in the header', {
    delay: async (exchange) => {
      if (exchange.way === 'header' && exchange.path === 'sync')
        exchange.parameters = exchange.parameters.filter(([name]) => !/_thing|^tag/.test(name))
    },
  }),
]
