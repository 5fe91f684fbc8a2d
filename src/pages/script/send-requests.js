// @ts-check
/**
 * Sends the forms of the API reference, shows the responses, and marks the current section in the contents. The access
 * token stays in the page: the script neither stores it nor puts it into a URL.
 */

/** A longer part of a response would keep the browser busy. */
const mostCharacters = 200_000

/** Fields whose values the script never shows. */
const secretType = 'password'

/** @type {HTMLInputElement | null} */
const tokenField = document.querySelector('#access-token')

// A field named `action` or `method` would hide the property of the form.
/** @param {HTMLFormElement} form */
const addressOf = (form) => new URL(form.getAttribute('action') ?? '', document.baseURI).href
/** @param {HTMLFormElement} form */
const isReading = (form) => form.getAttribute('method')?.toLowerCase() === 'get'

/** @param {HTMLFormElement} form */
const listFields = (form) =>
  [...form.elements].filter(
    /** @returns {element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */
    (element) => 'name' in element && 'value' in element && element.name !== '' && element.value !== '',
  )

/** @param {string} text */
const quote = (text) => (/^[\w.=:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/**
 * Formats the request as a shell command, without secrets.
 * @param {HTMLFormElement} form
 */
const writeCommand = (form) => {
  const fields = listFields(form).map(({ name, value, type }) => quote(`${name}=${type === secretType ? '…' : value}`))
  const isGet = isReading(form)
  return [
    `curl -sS${isGet && fields.length > 0 ? ' -G' : ''}${!isGet && fields.length === 0 ? ' -X POST' : ''}`,
    ...('takesToken' in form.dataset ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...fields.map((field) => `--data-urlencode ${field}`),
    quote(addressOf(form)),
  ].join(' \\\n  ')
}

/** @param {HTMLFormElement} form */
const send = (form) => {
  const fields = new URLSearchParams(listFields(form).map(({ name, value }) => [name, value]))
  const isGet = isReading(form)
  const token = 'takesToken' in form.dataset ? (tokenField?.value.trim() ?? '') : ''
  return fetch(isGet && fields.size > 0 ? `${addressOf(form)}?${fields}` : addressOf(form), {
    method: isGet ? 'GET' : 'POST',
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    // No cookies: a request here has no more rights than its token.
    credentials: 'omit',
    ...(isGet ? {} : { body: fields }),
  })
}

/** @param {string} text */
const format = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch (error) {
    // Text that is not JSON is shown unchanged.
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [className]
 */
const createElement = (name, text, className = '') => {
  const element = document.createElement(name)
  element.textContent = text
  element.className = className
  if (name === 'pre') element.tabIndex = 0
  return element
}

/** @param {string} text */
const shorten = (text) =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}\n… ${text.length} characters in total`

/** @param {string} text */
const takeToken = (text) => {
  /** @type {unknown} */
  const pair = JSON.parse(text)
  if (tokenField === null || typeof pair !== 'object' || pair === null || !('access_token' in pair)) return false
  tokenField.value = String(pair.access_token)
  return true
}

/**
 * @param {HTMLFormElement} form
 * @returns {Promise<HTMLElement[]>} the elements to show
 */
const readResponse = async (form) => {
  let response
  try {
    response = await send(form)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return [
      createElement(
        'p',
        `No response arrived (${error.message}). Check that this browser can reach the server.`,
        'bad',
      ),
    ]
  }
  const text = await response.text()
  const isToken = response.ok && addressOf(form).endsWith('/token') && takeToken(text)
  return [
    createElement('p', `${response.status} ${response.statusText}`.trim(), response.ok ? 'good' : 'bad'),
    ...(isToken ? [createElement('p', 'The other requests on this page now use this access token.')] : []),
    createElement('pre', shorten(format(text))),
    createElement('p', 'The same request with curl:', 'soft'),
    createElement('pre', writeCommand(form)),
  ]
}

/** @param {HTMLFormElement} form */
const submit = async (form) => {
  const shown = form.querySelector('.response')
  // A second click would send the request again; a disabled button would lose the focus.
  if (shown === null || form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  shown.replaceChildren(createElement('p', 'Waiting for the response…', 'soft'))
  try {
    shown.replaceChildren(...(await readResponse(form)))
  } finally {
    form.ariaBusy = 'false'
  }
}

/** @param {HTMLFormElement} form */
const fill = (form) => {
  for (const field of form.querySelectorAll('[data-example]')) {
    if (field instanceof HTMLElement && 'value' in field) field.value = field.dataset.example ?? ''
  }
}

/** @param {HTMLFormElement} form */
const prepare = (form) => {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit(form)
  })
  form.querySelector('[data-fill]')?.addEventListener('click', () => fill(form))
}

/**
 * Fetches a form from its own page; undefined when there is none.
 * @param {string} address
 * @returns {Promise<HTMLFormElement | undefined>}
 */
const fetchForm = async (address) => {
  try {
    const response = await fetch(address)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const form = page.querySelector('form[data-send]')
    return form instanceof HTMLFormElement ? form : undefined
  } catch (error) {
    // No response came: the link stays, and the user can open it again.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Replaces a link with the form that it names.
 * @param {HTMLAnchorElement} link
 */
const loadForm = async (link) => {
  const container = link.parentElement
  if (container === null || container.ariaBusy === 'true') return
  container.ariaBusy = 'true'
  const form = await fetchForm(link.href)
  container.ariaBusy = 'false'
  if (form === undefined) return
  prepare(form)
  const hadFocus = document.activeElement === link
  container.replaceWith(form)
  const first = form.elements[0]
  if (hadFocus && first instanceof HTMLElement) first.focus()
}

/**
 * Marks the section at the top of the window in the contents, and scrolls the contents to its link.
 * @param {HTMLElement} contents
 */
const markSections = (contents) => {
  const links = new Map(
    [...contents.querySelectorAll('a')].map((link) => [document.getElementById(link.hash.slice(1)), link]),
  )
  let isPlanned = false
  const mark = () => {
    isPlanned = false
    const passed = [...links].filter(([heading]) => heading !== null && heading.getBoundingClientRect().top < 120)
    const current = passed.at(-1)?.[1]
    for (const link of links.values()) {
      if (link === current) link.ariaCurrent = 'true'
      else link.removeAttribute('aria-current')
    }
    if (current === undefined || contents.scrollHeight <= contents.clientHeight) return
    const { top, bottom } = current.getBoundingClientRect()
    const frame = contents.getBoundingClientRect()
    if (top < frame.top || bottom > frame.bottom) contents.scrollTop += top - frame.top - frame.height / 2
  }
  const plan = () => {
    if (!isPlanned) requestAnimationFrame(mark)
    isPlanned = true
  }
  addEventListener('scroll', plan, { passive: true })
  mark()
}

/**
 * Closes the contents on a narrow page, and after a link of theirs was followed there.
 * @param {HTMLElement} contents
 */
const foldContents = (contents) => {
  const details = contents.querySelector('details')
  if (details === null) return
  const wide = matchMedia('(min-width: 60rem)')
  const fold = () => {
    details.open = wide.matches
  }
  wide.addEventListener('change', fold)
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) fold()
  })
  fold()
}

const contents = document.querySelector('nav.contents')
if (contents instanceof HTMLElement) {
  foldContents(contents)
  markSections(contents)
}
for (const element of document.querySelectorAll('[data-needs-script]')) element.removeAttribute('hidden')
for (const element of document.querySelectorAll('[data-without-script]')) element.remove()
tokenField?.form?.addEventListener('submit', (event) => event.preventDefault())
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-send]'))) {
  prepare(form)
}
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-form]'))) {
  link.closest('details')?.addEventListener('toggle', () => {
    if (link.isConnected) loadForm(link)
  })
}
