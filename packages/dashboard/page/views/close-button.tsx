import type { Store } from '../model/store.ts'

/** Ends the choice: on a narrow screen it covers everything. */
export function CloseButton({ store }: { store: Store }) {
  return (
    <button type="button" class="close" title="Close (Esc)" onClick={() => store.select(undefined)}>
      <span aria-hidden="true">×</span>
      <span class="visually-hidden">Close</span>
    </button>
  )
}
