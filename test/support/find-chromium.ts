import { accessSync, constants } from 'node:fs'

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** What the browser tests say when they cannot begin. */
export const chromiumMissing =
  'npm run test:browser needs Chromium: apt-get install chromium, or name its program in CHROMIUM\n'

/** Whether there is a program at this path that may be run. */
export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    // Whatever keeps it from being run: it is no browser for the tests.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** The program of Chromium: the one that `CHROMIUM` names, or where systems have it. */
export const findChromium = (named: string | undefined): string | undefined =>
  (named === undefined ? paths : [named]).find(isProgram)
