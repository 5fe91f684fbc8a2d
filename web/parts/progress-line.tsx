/** How far something is that takes a while, with a button that ends it. */
export const ProgressLine = ({
  label,
  value,
  max,
  stop,
}: {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly stop?: { readonly label: string; readonly act: () => void }
}) => (
  <div class="progress-line">
    <progress value={value} max={Math.max(max, 1)} aria-label={label} />
    <span>{label}</span>
    {stop && (
      <button type="button" onClick={stop.act}>
        {stop.label}
      </button>
    )}
  </div>
)
