import type { PageRoute } from './page.ts'

/** Every page of the server; each is a file of its own. */
export const allPages: readonly PageRoute[] = []
