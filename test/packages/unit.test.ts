import { expect, test } from 'vitest'
import { run } from './run.ts'

test('systemd calls the exposure of the unit 2.0 or less, and finds nothing wrong with the units', async () => {
  const unit = 'packaging/thingsync.service'
  const analysis = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
  const [, exposure] = /exposure level for thingsync\.service: ([\d.]+)/.exec(analysis) ?? []

  expect(Number(exposure)).toBeGreaterThan(0)
  expect(Number(exposure)).toBeLessThanOrEqual(2.0)
})
