import type { ReferenceField } from './reference.ts'

/** Text of the document that was made HTML when the reference was generated; nothing in it comes from a request. */
export const Prose = ({ html, class: className = 'prose' }: { readonly html: string; readonly class?: string }) =>
  html === '' ? null : <div class={className} dangerouslySetInnerHTML={{ __html: html }} />

/** Makes the address of a shape of its name. */
export type ToShape = (shape: string) => string

/** A type in words; the shape in it leads to where that is told. */
export const TypeName = ({
  type,
  shape,
  toShape,
}: {
  readonly type: string
  readonly shape?: string | undefined
  readonly toShape: ToShape
}) => {
  if (shape === undefined) return <>{type}</>
  return (
    <>
      {type.slice(0, type.length - shape.length)}
      <a href={toShape(shape)}>{shape}</a>
    </>
  )
}

/** Parameters or members, one below the other, so that a narrow page can show them. */
export const FieldList = ({
  fields,
  toShape,
}: {
  readonly fields: readonly ReferenceField[]
  readonly toShape: ToShape
}) => (
  <dl class="members">
    {fields.map(({ name, isRequired, type, shape, aboutHtml }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>{' '}
          <span class="soft">
            <TypeName type={type} shape={shape} toShape={toShape} />
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
