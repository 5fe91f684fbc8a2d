import { homedir } from 'node:os'
import { join } from 'node:path'

/** A place for what the matrix makes, outside the project: `~/.cache/thingsync/sdk-matrix/<name>`. */
export const workFolder = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thingsync', 'sdk-matrix', name)
