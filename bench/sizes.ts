/** How many things a run works with. Rows write them as `{large}`, `{middle}` and `{repeats}` in their texts. */
export interface Sizes {
  readonly large: number
  readonly middle: number
  /** Changes of one thing. */
  readonly repeats: number
}

/** The sizes of the goals, or a tenth of them for a quick run. */
export const chooseSizes = (isQuick: boolean): Sizes =>
  isQuick
    ? { large: 100_000, middle: 10_000, repeats: 30_000 }
    : { large: 1_000_000, middle: 100_000, repeats: 300_000 }

/** A text with the sizes that it was measured with: no figure may seem to be for more things than there were. */
export const fillSizes = (text: string, sizes: Sizes): string =>
  text.replace(/\{(large|middle|repeats)\}/g, (_, name: keyof Sizes) => sizes[name].toLocaleString('en'))
