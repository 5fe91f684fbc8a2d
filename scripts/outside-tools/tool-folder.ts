import { homedir } from 'node:os'
import { join } from 'node:path'

/** What a tool from outside npm is called when it cannot be had: one sentence, for the one who runs the command. */
export class ToolMissing extends Error {}

/** Where one version of a tool is kept between runs, outside the project: `~/.cache/thingsync/<name>-<version>`. */
export const toolFolder = (name: string, version: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thingsync', `${name}-${version}`)
