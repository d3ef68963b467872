import type { Store } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** Ends the choice: on a narrow screen it covers everything. */
export function CloseButton({ store }: { store: Store }) {
  return (
    <button
      type="button"
      class="close"
      title={`${texts().close} (Esc)`}
      onClick={() => store.select(undefined)}
    >
      <span aria-hidden="true">×</span>
      <span class="visually-hidden">{texts().close}</span>
    </button>
  )
}
