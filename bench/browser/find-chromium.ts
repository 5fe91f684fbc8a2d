import { findChromium as find } from '../../test/support/find-chromium.ts'
import { RowUnavailable } from '../row.ts'

/** The program of Chromium: the one that `CHROMIUM` names, or where systems have it. @throws RowUnavailable */
export const findChromium = (): string => {
  const found = find(process.env.CHROMIUM)
  if (found === undefined) {
    throw new RowUnavailable('Chromium is missing: apt-get install chromium, or name its program in CHROMIUM')
  }
  return found
}
