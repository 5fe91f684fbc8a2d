import { readFileSync, writeFileSync } from 'node:fs'
import { readSamples } from './sdk/code-samples.ts'
const names = [['imports','open','grantToken'],['getSync','postSync'],['refresh'],['paging']]
for (const language of process.argv.slice(2)) {
  const path = `sdk/${language}/README.md`
  const parts = readSamples(language)
  let index = 0
  const text = readFileSync(path,'utf8').replace(/^```(?!sh)(\w+)\n[\s\S]*?^```$/gm, (_, info) => '```'+info+'\n'+names[index++]!.flatMap(n => parts.get(n) ?? []).join('\n\n')+'\n```')
  writeFileSync(path, text)
}
