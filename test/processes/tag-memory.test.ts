import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bundleModules } from '../support/bundle-modules.ts'

/** Fills an account of a store with tags of 1,000 characters, and reads their counts six times at once. */
const readSixTimes = (urlOf: (path: string) => string, tagCount: number): string => `
  const { openMemoryStore } = await import('${urlOf('store/memory-store.ts')}')
  const { thingForm } = await import('${urlOf('things/thing.ts')}')
  const { tagsOperations } = await import('${urlOf('operations/things.ts')}')
  const { renderBody } = await import('${urlOf('wire/render-json.ts')}')
  const store = await openMemoryStore({ form: thingForm })
  const settings = { favorite: true, color: false, todo: false }
  for (let start = 0; start < ${tagCount}; start += 1000)
    await store.write('ann', 'phone', async (draft) => {
      for (let n = start; n < start + 1000; n += 1) await draft.putTag(String(n).padEnd(1000, 'x'), settings)
    })
  const { getTags } = tagsOperations(store)
  const sizes = await Promise.all(Array.from({ length: 6 }, async () => {
    const { body } = await getTags({ parameters: {}, session: { userId: 'ann' } })
    let bytes = 0
    for await (const chunk of await renderBody(body)) bytes += Buffer.byteLength(chunk)
    return bytes
  }))
  console.log(JSON.stringify(sizes))
  await store.close()
`

test('six read tags of 60 MB at once in a heap of 48 MB: neither they nor the responses are in it as a whole', async () => {
  const tagCount = 60_000
  const paths = ['store/memory-store.ts', 'things/thing.ts', 'operations/things.ts', 'wire/render-json.ts']
  const modules = await bundleModules(paths)
  onTestFinished(modules.remove)
  const script = readSixTimes(modules.urlOf, tagCount)

  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=48',
    '--input-type=module',
    '--eval',
    script,
  ])

  const bytes = '{"pos":60000,"favorite":{},"other":{}}'.length + tagCount * 1005 - 1
  expect(JSON.parse(stdout)).toEqual(Array.from({ length: 6 }, () => bytes))
})
