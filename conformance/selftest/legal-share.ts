import { expect, test } from 'vitest'
import { legalDifferences } from '../src/model/legal-differences.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { checkServer, describeProblems, rulesOf } from './check-server.ts'

const minute = 60_000
const musts = allRules.filter(({ level }) => level === 'must')

/** One of six shares (0 to 5) of the legal servers; without it the test checks all of them. */
const share = process.env.SELFTEST_LEGAL_SHARE

/** Tests every second legal server, from the first or the second on, so that two files run on two processors. */
export const testLegal = (first: 0 | 1): void => {
  if (share !== undefined && !/^[0-5]$/.test(share)) throw new Error('SELFTEST_LEGAL_SHARE: give a number from 0 to 5')
  const servers = legalDifferences
    .filter((_, index) => index % 2 === first)
    .filter((_, index) => share === undefined || index % 6 === Number(share))
  test.concurrent.each(servers)(
    'no MUST is held against a server that $title',
    async ({ profile, prepare, behavior }) => {
      const options = { behavior: behavior(), ...(prepare === undefined ? {} : { prepare }) }
      const report = await checkServer(options, { rules: rulesOf(musts, profile), profile, histories: 6 })

      expect(describeProblems(report)).toEqual([])
    },
    5 * minute,
  )
}
