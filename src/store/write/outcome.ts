/** Told once how a change ended, in the order in which the changes arrived. */
export interface Outcome {
  /** It is durable; makes it visible, unless it is long before the next one is told. */
  readonly durable: () => void
  /** It is not, and neither is any that arrived after it. */
  readonly failed: (error: unknown) => void
}
