import { createDocsPage } from './docs-page.tsx'
import { flowPages } from './flow/flow-pages.ts'
import type { PageRoute } from './page.ts'
import { createStartPage } from './start-page.tsx'

/** Every page of the server; each is a file of its own. */
export const allPages: readonly PageRoute[] = [createStartPage(), createDocsPage(), ...flowPages]
