import { accessSync, constants } from 'node:fs'
import { RowUnavailable } from '../row.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** The program of Chromium: the one that `CHROMIUM` names, or where systems have it. @throws RowUnavailable */
export const findChromium = (): string => {
  const named = process.env.CHROMIUM
  const found = (named === undefined ? places : [named]).find(isProgram)
  if (found === undefined) {
    throw new RowUnavailable('Chromium is missing: apt-get install chromium, or name its program in CHROMIUM')
  }
  return found
}
