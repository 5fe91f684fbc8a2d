import { expect, test } from 'vitest'
import { allRules } from '../src/rules/all-rules.ts'
import { describeTrouble, judge, rulesOf } from './judge.ts'
import { listLegal } from './legal-share.ts'

const minute = 60_000
const musts = allRules.filter(({ level }) => level === 'must')

// Two files, so that two processors judge them.
test.concurrent.each(listLegal(1))(
  'no MUST is held against a server that $title',
  async (legal) => {
    const { profile, prepare } = legal
    const options = { behaviour: legal.behaviour(), ...(prepare === undefined ? {} : { prepare }) }
    const report = await judge(options, { rules: rulesOf(musts, profile), profile, histories: 6 })

    expect(describeTrouble(report)).toEqual([])
  },
  5 * minute,
)
