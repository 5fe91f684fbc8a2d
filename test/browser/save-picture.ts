import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import UPNG from 'upng-js'

/** One picture of a moving one, and how long it is shown. */
export interface Frame {
  readonly png: Buffer
  readonly milliseconds: number
}

/** Colours of a picture: pages have few, and a palette makes a file a third as large. */
const colours = 256

/** Where all pictures go, which is not committed, and where those stand that a document shows. */
const [all, shown] = ['pictures', 'docs/pictures']

/**
 * Writes pictures of one size as a PNG with a palette: one as it is, several as an animated one that repeats. What a
 * document shows is replaced.
 */
export const savePicture = async (name: string, frames: readonly Frame[]): Promise<void> => {
  const images = frames.map(({ png }) => UPNG.decode(new Uint8Array(png).buffer))
  const { width, height } = images[0] ?? { width: 0, height: 0 }
  const pixels = images.flatMap((image) => UPNG.toRGBA8(image))
  const delays = frames.map(({ milliseconds }) => milliseconds)
  const bytes = new Uint8Array(UPNG.encode(pixels, width, height, colours, ...(frames.length > 1 ? [delays] : [])))
  await mkdir(all, { recursive: true })
  await writeFile(join(all, name), bytes)
  if (existsSync(join(shown, name))) await writeFile(join(shown, name), bytes)
}
