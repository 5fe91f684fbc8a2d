import type { QuotaForAll } from '../accounts/quotas.ts'
import { limitWebhooks } from '../delivery/webhooks.ts'

const show = (number: number): string => number.toLocaleString('en')

const Amount = ({ has, most }: { readonly has: number; readonly most: number | null }) => (
  <>
    {show(has)}
    {most !== null && <span class="soft"> of {show(most)}</span>}
  </>
)

/** How much an account has, and may have: rows of a list of facts. */
export const UsageFacts = ({
  has,
  quota,
}: {
  readonly has: { readonly things: number; readonly bytes: number; readonly tags: number; readonly hooks: number }
  readonly quota: QuotaForAll
}) => (
  <>
    <div>
      <dt>Things</dt>
      <dd>
        <Amount has={has.things} most={quota.things} />
      </dd>
    </div>
    <div>
      <dt>Bytes of these and of tags</dt>
      <dd>
        <Amount has={has.bytes} most={quota.bytes} />
      </dd>
    </div>
    <div>
      <dt>Tags with settings</dt>
      <dd>
        <Amount has={has.tags} most={quota.tags} />
      </dd>
    </div>
    <div>
      <dt>Webhooks</dt>
      <dd>
        <Amount has={has.hooks} most={limitWebhooks(quota.hooks)} />
      </dd>
    </div>
  </>
)
