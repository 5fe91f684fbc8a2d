import type { ComponentChildren } from 'preact'

/** Where the access token of the forms on a page is put in; `src/pages/script/send-requests.js` shows it. */
export const AccessToken = ({ children }: { readonly children: ComponentChildren }) => (
  <section class="sheet" aria-labelledby="your-token" data-needs-script hidden>
    <h2 id="your-token">Your access token</h2>
    <p>{children}</p>
    <form class="fields">
      <div class="field">
        <label for="access-token">Access token</label>
        <input
          id="access-token"
          type="password"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
        />
      </div>
    </form>
  </section>
)
