// The row is drawn a moment after the page was scrolled to it.
const tries = 10

/** The place of the row that has the focus. */
export const findFocusedPlace = (): number | undefined => {
  const place = document.activeElement?.closest<HTMLElement>('.windowed > li')?.dataset.place
  return place === undefined ? undefined : Number(place)
}

/** Puts the focus on the row at this place of the list, and scrolls to it if it cannot be seen. */
export const focusRow = (place: number, left = tries): void => {
  const list = document.querySelector<HTMLElement>('.windowed')
  if (list === null || left === 0) return
  const link = list.querySelector<HTMLElement>(`li[data-place="${place}"] .title`)
  if (link !== null) {
    link.focus({ preventScroll: true })
    link.closest('li')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    return
  }
  const rowHeight = list.querySelector('li')?.offsetHeight ?? 0
  const top = list.getBoundingClientRect().top + scrollY + place * rowHeight
  scrollTo({ top: top - innerHeight / 2, behavior: 'instant' })
  requestAnimationFrame(() => focusRow(place, left - 1))
}
