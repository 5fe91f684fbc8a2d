// For `.ci/run`: reads a JSON report of vitest, prints `PASSED FAILED SKIPPED`, and appends the failures to a file.
//   node scripts/count-tests.mjs REPORT LIST
import { appendFileSync, readFileSync } from 'node:fs'

const [report, list] = process.argv.slice(2)
appendFileSync(list, '')
const run = JSON.parse(readFileSync(report, 'utf8'))
let passed = 0
let failed = 0
let skipped = 0
for (const file of run.testResults) {
  const ended = file.assertionResults
  for (const { status, fullName, failureMessages } of ended) {
    if (status === 'passed') passed += 1
    else if (status !== 'failed') skipped += 1
    else {
      failed += 1
      const message = (failureMessages[0] ?? '').slice(0, 1500).replaceAll('\n', '\n    ')
      appendFileSync(list, `  ${file.name}: ${fullName}\n    ${message}\n`)
    }
  }
  // A file that vitest could not load, or whose hooks failed.
  if (file.status === 'failed' && !ended.some(({ status }) => status === 'failed')) {
    failed += 1
    appendFileSync(list, `  ${file.name}: ${String(file.message).slice(0, 1500)}\n`)
  }
}
console.log(passed, failed, skipped)
