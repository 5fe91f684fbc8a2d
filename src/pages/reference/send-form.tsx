import type { ReferenceControl, ReferenceOperation } from './reference.ts'

/** The control of a form for one value. */
const Control = ({ id, control }: { readonly id: string; readonly control: ReferenceControl }) => {
  const { name, kind, choices, example } = control
  const shared = {
    id,
    name,
    required: control.isRequired,
    'data-example': example,
    'aria-describedby': example === undefined ? undefined : `${id}-example`,
  }
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const
  if (kind === 'lines') return <textarea {...shared} {...plain} rows={3} />
  if (kind === 'choice') {
    return (
      <select {...shared}>
        <option value="">{control.isRequired ? 'choose one' : 'left out'}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  // A password that is typed to try something is nothing for a browser to keep.
  const secret = { type: 'password', autocomplete: 'one-time-code' } as const
  return (
    <input
      {...shared}
      {...plain}
      {...(kind === 'secret' ? secret : { type: 'text', inputmode: kind === 'number' ? 'decimal' : undefined })}
    />
  )
}

/** A form that `src/pages/script/send-requests.js` sends; without it nothing is sent, and the form is not shown. */
export const SendForm = ({
  operation,
  action,
}: {
  readonly operation: ReferenceOperation
  readonly action: string
}) => {
  const { id, method, controls, takesToken } = operation
  const hasExamples = controls.some(({ example }) => example !== undefined)
  return (
    <form class="fields" method={method} action={action} data-send data-takes-token={takesToken ? '' : undefined}>
      {controls.map((control) => (
        <div class="field" key={control.name}>
          <label for={`${id}-${control.name}`}>{control.name}</label>
          <Control id={`${id}-${control.name}`} control={control} />
          {control.example !== undefined && (
            <span class="hint" id={`${id}-${control.name}-example`}>
              as in <code>{control.example}</code>
            </span>
          )}
        </div>
      ))}
      {controls.length > 0 && <p class="soft">What stays empty is left out.</p>}
      <div class="buttons">
        <button type="submit" class="main">
          Send {method} {operation.path}
        </button>
        {hasExamples && (
          <button type="button" data-fill>
            Fill in the example
          </button>
        )}
      </div>
      <div class="answer" role="status" aria-label={`Answer of ${method} ${operation.path}`} />
    </form>
  )
}
