/** How binding a rule is: only a failed MUST changes the verdict (SHOULD does with `--level should`). */
export type Level = 'must' | 'should'

/** Where a rule comes from: stated by the interface, following from it, or decided in this project's contract. */
export type Basis = 'given' | 'derived' | 'decided'

/** `core` holds what the interface states or implies; `full` adds the decisions for the other operations. */
export type Profile = 'core' | 'full'
