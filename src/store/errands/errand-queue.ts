/** What waits for a time. */
export interface Timed {
  /** When its turn comes; any unit. */
  readonly at: number
}

/** What waits, the earliest first. What is stale by now stays in it unseen, and never outgrows the rest for long. */
export interface TimedQueue<Item extends Timed> {
  readonly push: (item: Item) => void
  /** The earliest, which stays. */
  readonly peek: () => Item | undefined
  /** Takes out what `peek` has just given. */
  readonly pop: () => void
}

const leastLimit = 64

/** An empty queue (a binary heap). `isStale` tells what is not to be seen any more. */
export const createTimedQueue = <Item extends Timed>(isStale: (item: Item) => boolean): TimedQueue<Item> => {
  let heap: Item[] = []
  let limit = leastLimit

  const atOf = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  const swap = (a: number, b: number): void => {
    const item = heap[a] as Item
    heap[a] = heap[b] as Item
    heap[b] = item
  }

  const lift = (start: number): void => {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1
      if (atOf(parent) <= atOf(index)) return
      swap(parent, index)
      index = parent
    }
  }

  const sink = (start: number): void => {
    for (let index = start; ; ) {
      const left = index * 2 + 1
      const child = atOf(left + 1) < atOf(left) ? left + 1 : left
      if (atOf(child) >= atOf(index)) return
      swap(child, index)
      index = child
    }
  }

  const pop = (): void => {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    sink(0)
  }

  const dropStale = (): void => {
    heap = heap.filter((item) => !isStale(item))
    for (let index = (heap.length >> 1) - 1; index >= 0; index -= 1) sink(index)
    limit = Math.max(leastLimit, heap.length * 2)
  }

  const peek = (): Item | undefined => {
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      if (!isStale(first)) return first
      pop()
    }
    return undefined
  }

  return {
    push: (item) => {
      heap.push(item)
      lift(heap.length - 1)
      if (heap.length > limit) dropStale()
    },
    peek,
    pop,
  }
}
