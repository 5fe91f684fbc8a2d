// Copies the files that the compiled program reads: schema of the PostgreSQL store, style and script of the pages.
import { cpSync } from 'node:fs'

for (const folder of ['src/store/postgres/schema', 'src/pages/style', 'src/pages/script'])
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('tsconfig.json') })
