import { expect } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

/** Errors (interface 7): always a JSON object; codes and statuses are the server's, but for the one stated. */
export const errorRules = coreSection('7', [
  {
    // Whether such an upload is refused or ignored is free; that the answer is JSON of one of the two forms is not.
    id: 'ERROR-FORM-01',
    title: 'MUST answer an upload that is no JSON with a sync answer or an error object',
    clauses: ['C-7-1', 'C-1-1'],
    faults: ['bad-upload-plain-text', 'bad-upload-without-description'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = String(await phone.position())
      await asSetup('the same request with a thing', async () => phone.create())
      for (const text of ['{"local_id":', 'no json', '[1,2', '"text"', '[]', 'null']) {
        const reply = await phone.send({
          path: 'sync',
          form: [
            ['from', from],
            ['new_thing', text],
          ],
        })
        if (reply.error === undefined) readSyncAnswer(reply, `new_thing=${text}, unless refused with an error object,`)
        const description = reply.error === undefined ? '' : reply.json?.error_description
        const came = `error_description is ${showValue(description)}`
        expect(typeof description === 'string', 'error_description as a string', came, reply)
      }
    },
  },
])
