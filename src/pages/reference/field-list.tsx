import type { ReferenceField } from './reference.ts'

/** Text of the document that was made HTML when the reference was generated; nothing in it comes from a request. */
export const Prose = ({ html, class: className = 'prose' }: { readonly html: string; readonly class?: string }) =>
  html === '' ? null : <div class={className} dangerouslySetInnerHTML={{ __html: html }} />

/** A type in words; the shape in it leads to where that is told. */
export const TypeName = ({ type, shape }: { readonly type: string; readonly shape?: string | undefined }) => {
  if (shape === undefined) return <>{type}</>
  return (
    <>
      {type.slice(0, type.length - shape.length)}
      <a href={`#shape-${shape}`}>{shape}</a>
    </>
  )
}

/** Parameters or members, one below the other, so that a narrow page can show them. */
export const FieldList = ({ fields }: { readonly fields: readonly ReferenceField[] }) => (
  <dl class="members">
    {fields.map(({ name, isRequired, type, shape, aboutHtml }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>{' '}
          <span class="soft">
            <TypeName type={type} shape={shape} />
          </span>
          {isRequired && (
            <>
              {' '}
              <span class="tag">required</span>
            </>
          )}
        </dt>
        <dd>
          <Prose html={aboutHtml} />
        </dd>
      </div>
    ))}
  </dl>
)
