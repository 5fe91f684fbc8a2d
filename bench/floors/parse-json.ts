import { readFileSync } from 'node:fs'
import { decodeForm } from '../../src/wire/decode-form.ts'

/** Measures, each time it is asked, `JSON.parse` of a file and the server's own decoding of the same data as a form. */
const json = readFileSync(process.argv[2] ?? '', 'utf8')
const form = readFileSync(process.argv[3] ?? '')

const time = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

process.on('message', () => {
  const parseMs = time(() => JSON.parse(json))
  const decodeMs = time(() => decodeForm(form))
  process.send?.({ parseMs, decodeMs })
})
process.on('disconnect', () => process.exit())
