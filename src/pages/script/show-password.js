/* Adds a button to each password field that shows the password while the user types it. */

/** @param {HTMLInputElement} field */
const addButton = (field) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain'
  const verb = document.createElement('span')
  const about = document.createElement('span')
  about.className = 'aside'
  about.textContent = ' password'
  button.append(verb, about)
  const show = (/** @type {boolean} */ shows) => {
    field.type = shows ? 'text' : 'password'
    verb.textContent = shows ? 'Hide' : 'Show'
  }
  show(false)
  button.addEventListener('click', () => show(field.type === 'password'))
  // Browsers store and suggest what was typed in a field of text.
  field.form?.addEventListener('submit', () => show(false))
  field.after(button)
  field.parentElement?.classList.add('shows')
}

for (const field of document.querySelectorAll('input[type="password"]')) {
  if (field instanceof HTMLInputElement) addButton(field)
}
