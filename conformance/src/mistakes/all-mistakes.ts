import { fromIgnored } from './from-ignored.ts'
import type { Mistake } from './mistake.ts'

/** The mistakes that are told before what follows from them, in the order in which they are mended. */
export const allMistakes: readonly Mistake[] = [fromIgnored]
