// Before the first paint, so that a page of a chosen theme never flashes in the other one. `web/parts/preferences.ts`
// writes the choice. Browsers that forbid the storage throw a SecurityError; the system decides there.
try {
  const theme = localStorage.getItem('thingsync choice/theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch (problem) {
  if (!(problem instanceof DOMException)) throw problem
}
