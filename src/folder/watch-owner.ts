import { setTimeout as sleep } from 'node:timers/promises'
import { type FoundOwner, findOwnerFile } from './owner-files.ts'

/** How often an owner gives a sign of life. */
export const signMilliseconds = 1000

const lookMilliseconds = 500
const looks = 20

/**
 * Watches the owner of a folder of whom nothing else is known. `silent`: in 20 looks within 10 s there was no sign, ten
 * times as long as one takes. Looks are counted, and no clock is read, so that neither a clock that is set nor a pause of
 * this process makes an owner look silent.
 */
export async function watchOwner(folder: string, found: FoundOwner): Promise<'alive' | 'silent' | 'replaced'> {
  for (let look = 0; look < looks; look++) {
    await sleep(lookMilliseconds)
    const now = await findOwnerFile(folder)
    if (now?.number !== found.number || now.isFree) return 'replaced'
    if (now.sign !== found.sign) return 'alive'
  }
  return 'silent'
}
