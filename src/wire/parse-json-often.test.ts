import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const built = (path: string): string => pathToFileURL(`dist/src/${path}`).href

/** In a process of its own, where nothing else was parsed: that decides what the engine compiles, and when. */
const script = `
import { parseObject } from '${built('wire/parse-json.js')}'
import { runWhole } from '${built('slices.js')}'
const note = 'x'.repeat(2_000)
let refused = 0
for (let n = 0; n < 4_000; n += 1) {
  const value = { from: n, new_thing: [{ local_id: 'a' + n, title: 'a' + n, html: note }] }
  if (runWhole(parseObject(Buffer.from(JSON.stringify(value)))) === undefined) refused += 1
}
console.log(refused)
`

test('a text is parsed the same however often such texts were parsed before, by each compiler of the engine', () => {
  const runs = Array.from({ length: 3 }, () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  )

  expect(runs.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['0\n', '0\n', '0\n'])
})
