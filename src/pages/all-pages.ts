import { createDocsPage } from './docs-page.tsx'
import type { PageRoute } from './page.ts'
import { createStartPage } from './start-page.tsx'

/** Every page of the server; each is a file of its own. */
export const allPages: readonly PageRoute[] = [createStartPage(), createDocsPage()]
