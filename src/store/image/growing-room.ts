import { maxRows } from './block.ts'
import { createThingBlock, maxBytes, type ThingBlock } from './thing-block.ts'

/**
 * Room in which one block after the other grows while an account is loaded and nobody reads it; each leaves with no
 * more than it fills. Growing in memory of its own, a block would leave three times its size behind.
 */
export interface GrowingRoom {
  /** For a block without rows. */
  readonly lend: (block: ThingBlock) => void
  readonly takeBack: (block: ThingBlock) => void
}

/** Room for a full block. */
export const createGrowingRoom = (): GrowingRoom => {
  const { bytes, cells } = createThingBlock({ rows: maxRows, bytes: maxBytes })
  return {
    lend: (block) => {
      block.bytes = bytes
      block.cells = cells
    },
    takeBack: (block) => {
      block.cells = block.cells.slice(0, block.length * block.width)
      const exact = Buffer.allocUnsafeSlow(block.used)
      block.bytes.copy(exact, 0, 0, block.used)
      block.bytes = exact
    },
  }
}
