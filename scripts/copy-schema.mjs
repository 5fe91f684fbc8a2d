// Puts the schema of the PostgreSQL store beside the compiled program, which reads it from there.
import { cpSync } from 'node:fs'

cpSync('src/store/postgres/schema', 'dist/src/store/postgres/schema', { recursive: true })
