/*
 * Adds a button to each text to copy. Without this script, or where the browser offers no clipboard (http, not
 * localhost), the text stays in a field in which a keyboard selects all of it.
 */

const shownMilliseconds = 2_000

/**
 * @param {HTMLTextAreaElement} field
 * @param {Element} box
 */
const addButton = (field, box) => {
  const button = document.createElement('button')
  button.type = 'button'
  const label = field.labels?.[0]?.textContent ?? ''
  const name = document.createElement('span')
  // Screen readers announce it; within the button it would not be a part of the button's name.
  const outcome = document.createElement('span')
  outcome.className = 'aside'
  outcome.setAttribute('role', 'status')
  const about = document.createElement('span')
  about.className = 'aside'
  about.textContent = ` ${label}`
  name.textContent = 'Copy'
  button.append(name, about)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field.value)
      name.textContent = 'Copied'
      outcome.textContent = 'Copied'
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      // The browser denied it, so the user copies the selection.
      field.select()
      name.textContent = 'Press Ctrl+C'
      outcome.textContent = 'Press Ctrl+C'
    }
    setTimeout(() => {
      name.textContent = 'Copy'
      outcome.textContent = ''
    }, shownMilliseconds)
  })
  box.append(button, outcome)
}

if (navigator.clipboard !== undefined) {
  for (const box of document.querySelectorAll('.copy')) {
    const field = box.querySelector('textarea')
    if (field !== null) addButton(field, box)
  }
}
