import { test } from 'vitest'
import { postgresMissing } from './find-postgres.ts'

// Replaces all other tests where PostgreSQL is missing: without any test vitest runs no global setup, which says so,
// and with CI=true fails.
test.skip(postgresMissing)
