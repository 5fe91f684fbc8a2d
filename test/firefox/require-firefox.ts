import type { TestProject } from 'vitest/node'
import { findFirefox, firefoxMissing } from './find-firefox.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of Firefox. */
    readonly firefox: string
  }
}

/** Names the program for the tests. Without Firefox it says so and ends. */
export const setup = (project: TestProject): void => {
  const program = findFirefox(process.env.FIREFOX)
  if (program === undefined) {
    process.stderr.write(firefoxMissing)
    process.exit(1)
  }
  project.provide('firefox', program)
}
