import type { Reply } from '../../client.ts'
import { expect, expectSame } from '../../expect.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { Replica } from '../../replica.ts'
import type { Rule } from '../../rule.ts'
import { describeReply, expectObject, expectPosition, type Fields, get } from './answers.ts'
import { decided } from './decided.ts'

const getTags = async (
  replica: Replica,
  fields: Fields = {},
): Promise<{ favorite: JsonObject; other: JsonObject; pos: unknown; reply: Reply }> => {
  const reply = await get(replica, 'tags/get', fields)
  const { favorite, other, pos } = expectObject(reply, 'tags/get answers pos, favorite and other')
  expect(isObject(favorite) && isObject(other), 'favorite and other as objects', describeReply(reply), reply)
  return { favorite, other, pos, reply }
}

/** Rules of section 4.1: tags/get (contract, the other operations). */
export const tagsGetRules: readonly Rule[] = [
  decided({
    id: 'TAG-GET-01',
    title: 'MUST answer tags/get with the current position',
    section: '4.1',
    clauses: ['K-tags-1'],
    faults: ['tags-get-pos-missing', 'tags-get-other-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const before = await phone.position()
      const { pos, reply } = await getTags(phone)
      expectPosition(pos, before, reply)
    },
  }),
  decided({
    id: 'TAG-GET-02',
    title: 'MUST NOT count deleted things',
    section: '4.1',
    clauses: ['K-tags-1'],
    faults: ['tags-get-counts-deleted'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [gone = ''] = await phone.createMany([{ tags: lab.mark }, { tags: `a ${lab.mark}` }])
      await phone.remove(gone)
      const { other, reply } = await getTags(phone)
      expectSame(other[lab.mark], 1, 'the count of a tag that one thing carries and a deleted one carried', reply)
    },
  }),
  decided({
    id: 'TAG-GET-03',
    title: 'MUST count archived things too',
    section: '4.1',
    clauses: ['K-tags-1'],
    faults: ['tags-get-omits-archived'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.createMany([{ tags: lab.mark }, { tags: lab.mark, archived: true }])
      const { other, reply } = await getTags(phone)
      expectSame(other[lab.mark], 2, 'the count of a tag that a living and an archived thing carry', reply)
    },
  }),
  decided({
    id: 'TAG-GET-04',
    title: 'MUST answer empty maps when from is the current position, all counts otherwise',
    section: '4.1',
    clauses: ['K-tags-1'],
    faults: ['tags-get-from-ignored', 'new-tags-dropped'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const earlier = await phone.position()
      await phone.create({ tags: lab.mark })
      const since = await getTags(phone, { from: String(earlier) })
      expectSame(since.other[lab.mark], 1, 'the count, because the thing was created after from', since.reply)
      const { favorite, other, reply } = await getTags(phone, { from: String(since.pos) })
      expectSame([favorite, other], [{}, {}], 'favorite and other, because nothing changed after from', reply)
    },
  }),
  decided({
    id: 'TAG-GET-05',
    title: 'MUST list favorite tags under favorite and the rest under other',
    section: '4.1',
    clauses: ['K-tags-1'],
    faults: ['tags-get-favorites-in-other'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [loved, plain] = [lab.unique(), lab.unique()]
      await phone.createMany([{ tags: `${loved} ${plain}` }])
      await phone.setTag(loved, { favorite: true })
      const { favorite, other, reply } = await getTags(phone)
      const seen = [favorite[loved], favorite[plain] ?? null, other[loved] ?? null, other[plain]]
      expectSame(seen, [1, null, null, 1], 'the favorite in favorite only, the other tag in other only', reply)
    },
  }),
]
