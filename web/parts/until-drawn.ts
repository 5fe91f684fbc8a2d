// A page that nobody looks at is not drawn.
const mostMilliseconds = 200

/** Resolves when what is to be drawn now has been drawn, or the page is not drawn at all. */
export const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, mostMilliseconds)
  })
