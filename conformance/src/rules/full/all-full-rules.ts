import type { Rule } from '../../rule.ts'

/** The rules of the profile full: what this project's contract decides where the interface is silent. */
export const fullRules: readonly Rule[] = []
