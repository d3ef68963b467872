import type { RecordedWrite } from 'homeostat'
import { chainOf } from '../model/causes.ts'
import type { RecordedObject } from '../../src/recording/entry.ts'
import type { Run, Store } from '../model/store.ts'
import { keyOf } from '../model/tree.ts'
import { exactTimeOf, resultOf, spanOf } from '../model/words.ts'
import { Diff } from './diff.tsx'
import { CloseButton } from './close-button.tsx'
import { RunLink } from './queue-panel.tsx'

/** One reconcile: why it ran, what it wrote, how it ended. */
export function RunPanel({ store, run }: { store: Store; run: Run }) {
  const { ended, started } = run
  const chain = chainOf(store, run)
  const object = [...store.state.objects.values()].find(
    ({ kind, metadata }) =>
      keyOf(metadata) === keyOf(run.request) &&
      store.state.operator?.kinds.some((each) => each.kind === kind),
  )
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="A reconcile">
      <div class="panel-head">
        <div>
          <p class="over">Reconcile by {run.controller}</p>
          <h2>{keyOf(run.request)}</h2>
        </div>
        <CloseButton store={store} />
      </div>
      <p class={`lead ${ended?.error === undefined ? '' : 'is-bad'}`}>{resultOf(run)}</p>
      {ended?.error !== undefined && <pre class="error">{ended.error}</pre>}
      {ended?.isLoop && (
        <p class="notice is-bad">
          Its own writes cause it again and again. Write only what differs from what was read.
        </p>
      )}
      <h3>Why it ran</h3>
      <ul class="causes">
        {(started?.reasons ?? []).map((reason, index) => (
          <li key={index}>{reason}</li>
        ))}
        {(started?.omittedCauses ?? 0) > 0 && <li>and {started?.omittedCauses} more causes</li>}
        {!started && <li>It started before this recording.</li>}
      </ul>
      {chain.length > 0 && (
        <>
          <h3>What led to it</h3>
          <ol class="chain">
            {chain.map(({ run: origin }) => (
              <li key={origin.id}>
                <RunLink run={origin} store={store} />
              </li>
            ))}
          </ol>
        </>
      )}
      <h3>What it wrote</h3>
      {(ended?.writes.length ?? 0) === 0 && (
        <p class="hint">{ended ? 'Nothing.' : 'It has not ended yet.'}</p>
      )}
      {ended?.writes.map((write, index) => (
        <Write key={index} write={write} store={store} />
      ))}
      {(ended?.omittedWrites ?? 0) > 0 && <p class="hint">and {ended?.omittedWrites} more writes</p>}
      <dl class="facts">
        <dt>Started</dt>
        <dd>{exactTimeOf(run.start)}</dd>
        <dt>Took</dt>
        <dd>{run.end === undefined ? 'still running' : spanOf(ended?.duration ?? run.end - run.start)}</dd>
        <dt>Waited before</dt>
        <dd>{started ? spanOf(started.waited) : 'unknown'}</dd>
        <dt>Reconcile id</dt>
        <dd>
          <code>{run.id}</code>
        </dd>
        {ended?.traceID !== undefined && (
          <>
            <dt>Trace id</dt>
            <dd>
              <code>{ended.traceID}</code>
            </dd>
          </>
        )}
      </dl>
      {object && (
        <button type="button" onClick={() => store.select({ type: 'object', uid: object.metadata.uid })}>
          Show {object.kind} {object.metadata.name}
        </button>
      )}
    </div>
  )
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  patch: 'Patched',
  apply: 'Applied',
  delete: 'Deleted',
  deletecollection: 'Deleted all',
}

function Write({ write, store }: { write: RecordedWrite; store: Store }) {
  const versions = versionsAround(write, store)
  const part = write.subresource === undefined ? '' : `${write.subresource} of `
  return (
    <div class="write">
      <p>
        <strong>
          {write.error === undefined ? (VERBS[write.verb] ?? write.verb) : `Could not ${write.verb}`}
        </strong>{' '}
        {part}
        {write.kind} {write.name ?? ''}
        {versions && write.uid !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => store.select({ type: 'object', uid: write.uid ?? '' })}
          >
            Show
          </button>
        )}
      </p>
      {write.error !== undefined && <pre class="error">{write.error}</pre>}
      {versions ? (
        <Diff before={versions.before} after={versions.after} />
      ) : (
        (write.fields?.length ?? 0) > 0 && <p class="hint">Changed {write.fields?.join(', ')}</p>
      )}
    </div>
  )
}

/** The object before and after a write, where the recording has both. */
function versionsAround(
  { uid, resourceVersion }: RecordedWrite,
  store: Store,
): { before: RecordedObject | undefined; after: RecordedObject } | undefined {
  if (uid === undefined || resourceVersion === undefined) return undefined
  const versions = store.history.get(uid) ?? []
  const index = versions.findIndex(({ object }) => object?.metadata.resourceVersion === resourceVersion)
  const after = versions[index]?.object
  return after && { before: versions[index - 1]?.object, after }
}
