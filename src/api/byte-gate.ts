/** Lets long bodies in to be decoded and worked on, so many bytes of them at a time: what they become is far larger. */
export interface ByteGate {
  /** Resolves when there is room for so many bytes of the owner; owners take turns. A body above all room goes alone. */
  readonly enter: (owner: string, bytes: number) => Promise<void>
  /** Gives the room back. */
  readonly leave: (bytes: number) => void
}

interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

/** A gate behind which nothing is. */
export const createByteGate = (roomBytes: number): ByteGate => {
  // The owner whose turn is next stands first.
  const owners = new Map<string, Waiting[]>()
  let inside = 0

  const admit = (): void => {
    for (const [owner, line] of owners) {
      const [first, ...others] = line
      if (first === undefined || (inside > 0 && inside + first.bytes > roomBytes)) return
      owners.delete(owner)
      if (others.length > 0) owners.set(owner, others)
      inside += first.bytes
      first.start()
    }
  }

  return {
    enter: (owner, bytes) =>
      new Promise((start) => {
        owners.set(owner, [...(owners.get(owner) ?? []), { bytes, start }])
        admit()
      }),
    leave: (bytes) => {
      inside -= bytes
      admit()
    },
  }
}
