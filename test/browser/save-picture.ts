import { writeFile } from 'node:fs/promises'
import UPNG from 'upng-js'

/** One picture of a moving one, and how long it is shown. */
export interface Frame {
  readonly png: Buffer
  readonly milliseconds: number
}

/** Colours of a picture: pages have few, and a palette makes a file a third as large. */
const colours = 256

/** Writes pictures of one size as a PNG with a palette: one as it is, several as an animated one that begins anew. */
export const savePicture = async (path: string, frames: readonly Frame[]): Promise<void> => {
  const images = frames.map(({ png }) => UPNG.decode(new Uint8Array(png).buffer))
  const { width, height } = images[0] ?? { width: 0, height: 0 }
  const pixels = images.flatMap((image) => UPNG.toRGBA8(image))
  const delays = frames.map(({ milliseconds }) => milliseconds)
  const bytes = UPNG.encode(pixels, width, height, colours, ...(frames.length > 1 ? [delays] : []))
  await writeFile(path, new Uint8Array(bytes))
}
