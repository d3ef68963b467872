import { useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { dependentsOf } from '../model/dependents.ts'
import { keyOf } from '../model/run.ts'
import type { Store } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** So many of the objects that go with this one are named. */
const MOST_NAMED = 12

/** Deletes an object. The server tries it first, and the page shows what else would go. */
export function DeleteButton({
  object,
  store,
  isOpen,
  onOpen,
}: {
  object: RecordedObject
  store: Store
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { apiVersion, kind, metadata } = object
  const send = async (dryRun: boolean): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    const { namespace, name, uid } = metadata
    try {
      await store.ask('delete', { apiVersion, kind, namespace, name, uid, dryRun })
      onOpen(dryRun)
    } catch (error) {
      onOpen(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const t = texts()
  return (
    <>
      {!isOpen ? (
        <button type="button" class="danger" disabled={isBusy} onClick={() => void send(true)}>
          {t.delete}
        </button>
      ) : (
        <div class="confirm is-block" role="group" aria-label={t.deleteThis}>
          <Deletion object={object} store={store} />
          <button type="button" class="danger" disabled={isBusy} onClick={() => void send(false)}>
            {t.yesDelete}
          </button>
          <button type="button" onClick={() => onOpen(false)}>
            {t.no}
          </button>
        </div>
      )}
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

/** What would be deleted: the object, and what belongs to it alone. */
function Deletion({ object, store }: { object: RecordedObject; store: Store }) {
  const t = texts()
  const { finalizers = [] } = object.metadata
  const gone = [object, ...dependentsOf(object.metadata.uid, store.state.objects)].filter(
    ({ kind }) => kind !== 'Event',
  )
  const more = gone.length - MOST_NAMED
  return (
    <div role="status">
      <p class="hint">{t.wouldDelete}</p>
      <ul class="deletion">
        {gone.slice(0, MOST_NAMED).map(({ kind, metadata }) => (
          <li key={metadata.uid}>
            <span class="sign" aria-hidden="true">
              −
            </span>
            {kind} {keyOf(metadata)}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="hint">{t.andMore(more)}</p>}
      {finalizers.length > 0 && <p class="hint">{t.staysUntil(finalizers.join(', '))}</p>}
    </div>
  )
}
