import { isProgram } from '../support/find-chromium.ts'

const paths = ['/usr/bin/firefox-esr', '/usr/bin/firefox']

/** What `npm run test:firefox` says when it cannot begin. */
export const firefoxMissing =
  'npm run test:firefox needs Firefox: apt-get install firefox-esr, or name its program in FIREFOX\n'

/** The program of Firefox: the one that `FIREFOX` names, or where systems have it. */
export const findFirefox = (named: string | undefined): string | undefined =>
  (named === undefined ? paths : [named]).find(isProgram)
