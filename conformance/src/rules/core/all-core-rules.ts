import type { Rule } from '../../rule.ts'

/** The rules of the profile core, in the order of the interface's sections. */
export const coreRules: readonly Rule[] = []
