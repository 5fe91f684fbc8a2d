import { expect, test } from 'vitest'
import { groupFindings } from '../../../scripts/contract/differences.ts'

test('the same difference in several operations, statuses and media types is said once', () => {
  const finding = { id: 'response-property-became-optional', level: 3, operation: 'GET', path: '/sync' }

  const differences = groupFindings([
    { id: 'endpoint-added', text: 'endpoint added', level: 1, operation: 'GET', path: '/ping', operationId: 'ping' },
    { ...finding, text: 'the response property `pos` became optional for the status `200`', operationId: 'getSync' },
    { ...finding, text: 'the response property `pos` became optional for the status `201`', operationId: 'getSync' },
    { ...finding, text: 'the response property `pos` became optional (media type: text/plain)', path: '/tags/get' },
  ])

  expect(differences).toEqual([
    {
      id: 'response-property-became-optional',
      text: 'the response property `pos` became optional',
      isBreaking: true,
      operations: ['GET /sync (getSync)', 'GET /tags/get'],
    },
    { id: 'endpoint-added', text: 'endpoint added', isBreaking: false, operations: ['GET /ping (ping)'] },
  ])
})

test('a status that is itself the difference stays in the sentence', () => {
  const text = 'removed the non-success response with the status `404`'

  expect(groupFindings([{ id: 'response-non-success-status-removed', text, level: 1 }])[0]?.text).toBe(text)
})
