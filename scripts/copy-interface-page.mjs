// Copies docs/interface.md into the built suite, whose failures name places in it. Links to other files become text,
// because the suite does not contain these files.
import { readFileSync, writeFileSync } from 'node:fs'

const page = readFileSync(new URL('../docs/interface.md', import.meta.url), 'utf8')
const alone = page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]*\)/g, '$1')
writeFileSync(new URL('../conformance/dist/interface.md', import.meta.url), alone)
