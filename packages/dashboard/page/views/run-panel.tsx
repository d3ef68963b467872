import type { RecordedLog, RecordedRead, RecordedWrite } from 'homeostat'
import { causeText } from '../model/cause-text.ts'
import { chainOf, effectsOf, originsOf, runsAround } from '../model/causes.ts'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { objectOf } from '../model/reconciles-of.ts'
import { keyOf, type Run } from '../model/run.ts'
import type { Store } from '../model/store.ts'
import { exactTimeOf, spanOf } from '../model/times.ts'
import { resultOf } from '../model/words.ts'
import { Diff } from './diff.tsx'
import { CloseButton } from './close-button.tsx'
import { RunLink } from './queue-panel.tsx'
import { texts } from '../language/index.ts'

/** One reconcile: why it ran, what it read, wrote and logged, what it caused, and how it ended. */
export function RunPanel({ store, run }: { store: Store; run: Run }) {
  const hasStarted = store.isShown({ at: run.start, sequence: run.sequence })
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={texts().aReconcile}>
      <div class="panel-head">
        <div>
          <p class="over">{texts().reconcileBy(run.controller)}</p>
          <h2>{keyOf(run.request)}</h2>
        </div>
        <CloseButton store={store} />
      </div>
      {hasStarted ? <RunDetails store={store} run={run} /> : <p class="lead">{texts().notStarted}</p>}
    </div>
  )
}

function RunDetails({ store, run }: { store: Store; run: Run }) {
  const { ended, started } = run
  const around = runsAround(store, run)
  const origins = originsOf(around)
  const chain = chainOf(origins, run)
  const effects = effectsOf(origins, around, run)
  const object = objectOf(store, run)
  return (
    <>
      <p class={`lead ${ended?.error === undefined ? '' : 'is-bad'}`}>{resultOf(run)}</p>
      {ended?.error !== undefined && <pre class="error">{ended.error}</pre>}
      {ended?.line !== undefined && <Place line={ended.line} />}
      {ended?.isLoop && <p class="notice is-bad">{texts().isLoop}</p>}
      <h3>{texts().whyItRan}</h3>
      <ul class="causes">
        {(started?.causes ?? []).map((cause, index) => (
          <li key={index}>{causeText(cause)}</li>
        ))}
        {(started?.omittedCauses ?? 0) > 0 && <li>{texts().moreCauses(started?.omittedCauses ?? 0)}</li>}
        {!started && <li>{texts().startedBefore}</li>}
      </ul>
      <Runs title={texts().whatLedToIt} runs={chain} store={store} />
      <h3>{texts().whatItWrote}</h3>
      {(ended?.writes.length ?? 0) === 0 && (
        <p class="hint">{ended ? texts().wroteNothing : texts().notEnded}</p>
      )}
      {ended?.writes.map((write, index) => (
        <Write key={index} write={write} store={store} />
      ))}
      {(ended?.omittedWrites ?? 0) > 0 && <p class="hint">{texts().moreWrites(ended?.omittedWrites ?? 0)}</p>}
      <Runs title={texts().whatItCaused} runs={effects} store={store} />
      <Reads reads={ended?.reads ?? []} omitted={ended?.omittedReads ?? 0} store={store} />
      <Logs logs={ended?.logs ?? []} omitted={ended?.omittedLogs ?? 0} />
      <dl class="facts">
        <dt>{texts().started}</dt>
        <dd>{exactTimeOf(run.start)}</dd>
        <dt>{texts().took}</dt>
        <dd>
          {run.end === undefined ? texts().stillRunning : spanOf(ended?.duration ?? run.end - run.start)}
        </dd>
        <dt>{texts().waitedBefore}</dt>
        <dd>{started ? spanOf(started.waited) : texts().unknown}</dd>
        <dt>{texts().reconcileId}</dt>
        <dd>
          <code>{run.id}</code>
        </dd>
        {ended?.traceID !== undefined && (
          <>
            <dt>{texts().traceId}</dt>
            <dd>
              <code>{ended.traceID}</code>
            </dd>
          </>
        )}
      </dl>
      {object && (
        <button type="button" onClick={() => store.select({ type: 'object', uid: object.metadata.uid })}>
          {texts().showObject(object.kind, object.metadata.name)}
        </button>
      )}
    </>
  )
}

function Runs({ title, runs, store }: { title: string; runs: readonly Run[]; store: Store }) {
  if (runs.length === 0) return null
  const more = Math.max(0, runs.length - MOST_RUNS)
  return (
    <>
      <h3>{title}</h3>
      <ol class="chain">
        {runs.slice(0, MOST_RUNS).map((run) => (
          <li key={run.id}>
            <RunLink run={run} store={store} />
          </li>
        ))}
      </ol>
      {more !== 0 && <p class="hint">{texts().andMore(more)}</p>}
    </>
  )
}

function Reads({ reads, omitted, store }: { reads: readonly RecordedRead[]; omitted: number; store: Store }) {
  if (reads.length === 0) return null
  const objects = [...store.state.objects.values()]
  return (
    <>
      <h3>{texts().whatItRead}</h3>
      <ul class="reads">
        {reads.map(({ apiVersion, kind, namespace, name }, index) => {
          if (name === undefined) return <li key={index}>{texts().allOf(kind)}</li>
          const key = keyOf({ namespace, name })
          const object = objects.find(
            (other) =>
              other.kind === kind && other.apiVersion === apiVersion && keyOf(other.metadata) === key,
          )
          return (
            <li key={index}>
              {object ? (
                <button
                  type="button"
                  class="quiet"
                  onClick={() => store.select({ type: 'object', uid: object.metadata.uid })}
                >
                  {kind} {key}
                </button>
              ) : (
                `${kind} ${key}`
              )}
            </li>
          )
        })}
        {omitted > 0 && <li>{texts().andMore(omitted)}</li>}
      </ul>
    </>
  )
}

function Logs({ logs, omitted }: { logs: readonly RecordedLog[]; omitted: number }) {
  if (logs.length === 0) return null
  return (
    <>
      <h3>{texts().whatItLogged}</h3>
      <ul class="logs">
        {logs.map(({ at, level, message, fields }, index) => (
          <li key={index} class={`is-${level}`}>
            <span class="time">{exactTimeOf(at)}</span>
            <span class="level">{level}</span>
            <span class="message">
              {message} {fields !== undefined && <code>{fields}</code>}
            </span>
          </li>
        ))}
        {omitted > 0 && <li>{texts().andMore(omitted)}</li>}
      </ul>
    </>
  )
}

/** A line of the operator's code. */
function Place({ line }: { line: string }) {
  return (
    <p class="place">
      {texts().lineOfCode} <code>{line}</code>
    </p>
  )
}

const MOST_RUNS = 12

const VERBS: Readonly<
  Record<string, 'created' | 'updated' | 'patched' | 'applied' | 'deleted' | 'deletedAll' | undefined>
> = {
  create: 'created',
  update: 'updated',
  patch: 'patched',
  apply: 'applied',
  delete: 'deleted',
  deletecollection: 'deletedAll',
}

function verbOf({ verb, error }: RecordedWrite): string {
  const done = VERBS[verb]
  return error === undefined ? (done ? texts()[done] : verb) : texts().couldNot(verb)
}

function Write({ write, store }: { write: RecordedWrite; store: Store }) {
  const versions = versionsAround(write, store)
  const part = write.subresource === undefined ? '' : `${texts().partOf(write.subresource)} `
  return (
    <div class="write">
      <p>
        <strong>{verbOf(write)}</strong> {part}
        {write.kind} {write.name ?? ''}
        {versions && write.uid !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => store.select({ type: 'object', uid: write.uid ?? '' })}
          >
            {texts().show}
          </button>
        )}
      </p>
      {write.error !== undefined && <pre class="error">{write.error}</pre>}
      {write.line !== undefined && <Place line={write.line} />}
      {versions ? (
        <Diff before={versions.before} after={versions.after} />
      ) : (
        (write.fields?.length ?? 0) > 0 && (
          <p class="hint">{texts().changedFields(write.fields?.join(', ') ?? '')}</p>
        )
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
