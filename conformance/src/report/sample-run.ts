import type { FinishedRun, ReportedResult } from './finished-run.ts'
import { decideVerdict } from './verdict.ts'

const rule = {
  title: 'MUST list a changed thing once',
  level: 'must',
  basis: 'given',
  profile: 'core',
  section: '4.3',
  clauses: ['C-4.3-5'],
  ms: 12,
} as const

const results: readonly ReportedResult[] = [
  { ...rule, id: 'SYNC-DELTA-01', title: 'MUST answer sync with pos', status: 'passed' },
  {
    ...rule,
    id: 'SYNC-DELTA-02',
    status: 'failed',
    message: 'expected thing a1 in things.changed, but the list is empty',
    expected: 'thing a1 in things.changed, because laptop changed it after position 41',
    actual:
      'things.changed lists 0 ([]), a control character \u0001, a lone surrogate \ud800 and ]]> & <b>"quotes"</b>',
    curl: `curl -sS 'http://localhost:8080/v1/sync?from=41' \\\n  -H 'Authorization: Bearer '"\${ACCESS_TOKEN}"`,
    exchanges: [
      {
        who: 'laptop',
        method: 'POST',
        url: 'http://localhost:8080/v1/sync',
        requestHeaders: {
          authorization: `Bearer \${ACCESS_TOKEN}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        requestBody: 'changed_thing=%7B%22_id%22%3A%22a1%22%2C%22title%22%3A%22new%22%7D',
        status: 200,
        responseHeaders: { 'content-type': 'application/json' },
        responseBody: '{"pos":42}',
        ms: 7,
      },
      {
        who: 'phone',
        method: 'GET',
        url: 'http://localhost:8080/v1/sync?from=41',
        requestHeaders: { authorization: `Bearer \${ACCESS_TOKEN}` },
        status: 200,
        responseHeaders: { 'content-type': 'application/json' },
        responseBody: '{"pos":42}',
        ms: 5,
      },
    ],
  },
  {
    ...rule,
    id: 'SYNC-PAGE-03',
    title: 'SHOULD give pages that fit together while others write',
    level: 'should',
    basis: 'derived',
    status: 'failed',
    message: 'expected 4 things over the pages, but 3 came',
    expected: '4 things over the pages',
    actual: '3 came',
  },
  {
    ...rule,
    id: 'TAG-COLOR-01',
    section: '2.2',
    status: 'failed',
    message: 'expected #abc',
    knownDeviation: 'our old clients send names # of colours',
  },
  { ...rule, id: 'TOKEN-GRANT-01', section: '5.1', status: 'blocked', message: 'a token did not work' },
  {
    ...rule,
    id: 'USER-APART-01',
    section: '1',
    status: 'inapplicable',
    message: 'this needs a second account: give --user twice',
  },
  {
    ...rule,
    id: 'ERROR-SHAPE-01',
    section: '7',
    basis: 'decided',
    profile: 'full',
    status: 'error',
    message: 'the suite itself failed',
  },
]

/** A run with a result of every kind, for the tests of the reports. */
export const sampleRun: FinishedRun = {
  suite: 'thingsync-conformance',
  version: '1.0.0',
  target: 'http://localhost:8080/v1/',
  profile: 'full',
  seed: 7,
  startedAt: '2026-11-21T12:00:00.000Z',
  ms: 1234,
  level: 'must',
  ...decideVerdict(results, 'must', 'full'),
  results,
  staleDeviations: [{ id: 'SYNC-DELTA-01', reason: 'pos was missing' }],
}
