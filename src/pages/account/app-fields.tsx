import type { AppDetails } from '../../accounts/apps.ts'
import { LinesField, TextField, Tick } from '../form-parts.tsx'
import type { PageFields } from '../page.ts'
import type { Wrongs } from '../say-refused.ts'

/** What was typed into the form of an app, or what the app is. */
export interface AppValues {
  readonly name: string
  readonly redirectUris: string
  readonly isStandard: boolean
}

/** What a form about an app holds. */
export const readAppForm = (form: PageFields): AppValues => ({
  name: form.get('name') ?? '',
  redirectUris: form.get('redirect_uris') ?? '',
  isStandard: form.get('standard') === 'on',
})

/** The same, as the accounts take it. */
export const toAppDetails = ({ redirectUris, isStandard }: AppValues): Required<AppDetails> => ({
  redirectUris: redirectUris
    .split(/\s+/)
    .map((uri) => uri.trim())
    .filter(Boolean),
  isStandard,
})

/** The fields that an app has when it is new, and later. */
export const AppFields = ({ values, wrongs }: { readonly values: AppValues; readonly wrongs: Wrongs }) => (
  <>
    <TextField
      name="name"
      label="Name"
      value={values.name}
      wrong={wrongs.name}
      hint="People see it when they are asked whether the app may read their things."
    />
    <LinesField
      name="redirect_uris"
      label="Redirect addresses"
      value={values.redirectUris}
      wrong={wrongs.redirect_uris}
      hint="Where browsers go back to after sign-in, one a line, to the letter: https://…, http://127.0.0.1/…, or com.example.app:/back. Leave it empty for an app that asks for the password itself."
    />
    <Tick
      name="standard"
      label="Standard answers"
      isTicked={values.isStandard}
      hint="For OAuth libraries that refuse “scope”: null. Apps that were written for this interface need it off."
    />
  </>
)
