import type { Store } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** Closes the panel, which covers everything on a narrow screen. */
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
