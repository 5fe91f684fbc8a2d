import { test } from 'vitest'
import { postgresMissing } from './find-postgres.ts'

// In the place of all others where PostgreSQL is missing: without any test vitest runs no global setup, which says so,
// and with CI=true fails.
test.skip(postgresMissing)
