import { expect, expectDeleted, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: what the answer to an upload lists (contract, sync 4). */
export const ownUploadRules: readonly Rule[] = [
  decided({
    id: 'SYNC-ECHO-01',
    title: 'MUST NOT list own uploads in things.changed of the same answer',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['own-uploads-echoed', 'upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const mine = await phone.create()
      const from = await phone.position()
      const theirs = await (await lab.replica('laptop')).create()
      for (const start of [from, 0]) {
        const upload = {
          new_thing: [{ local_id: lab.unique(), title: lab.mark }],
          changed_thing: [{ _id: mine, title: lab.unique() }],
        }
        const answer = await phone.sync({ from: start, ...upload })
        for (const id of [mine, ...answer.created.values()]) expectNoThing(answer, id, 'this request uploaded it')
        expectThing(answer, theirs, 'laptop created it after from')
      }
    },
  }),
  decided({
    id: 'SYNC-ECHO-02',
    title: 'MUST NOT list own deletions in things.deleted of the same answer',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['own-deletions-echoed', 'upload-hides-others'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const [mine = '', theirs = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      await (await lab.replica('laptop')).remove(theirs)
      const answer = await phone.sync({ from, deleted_thing: [mine] })
      expect(
        !answer.deleted.includes(mine),
        `no ${mine} in things.deleted, because this request deleted it`,
        showValue(answer.deleted),
        answer,
      )
      expectDeleted(answer, theirs, 'laptop deleted it after from')
    },
  }),
  decided({
    id: 'SYNC-ECHO-03',
    title: 'MUST answer submitted tag settings in full, also when nothing about them changed',
    section: '4.3',
    clauses: ['K-sync-4'],
    faults: ['submitted-tags-not-answered', 'tag-todo-missing', 'tag-absent-resets'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.sync({ from, tag: { [lab.mark]: { favorite: true, color: '#abcdef', todo: false } } })
      const answer = await phone.sync({ from: await phone.position(), tag: { [lab.mark]: { favorite: true } } })
      const { favorite, color, todo } = expectTag(answer, lab.mark, 'this request submitted settings of it')
      expectSame([favorite, color, todo], [true, '#abcdef', false], 'favorite, color and todo', answer)
    },
  }),
]
