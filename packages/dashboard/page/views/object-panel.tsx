import { useMemo, useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { isSecret } from '../../src/recording/hide-secrets.ts'
import { FieldOwners } from '../model/field-owners.ts'
import { toneOf } from '../model/condition-tone.ts'
import { conditionsOf, healthOf } from '../model/health.ts'
import { reconcilesIn } from '../model/reconciles-of.ts'
import { keyOf } from '../model/run.ts'
import type { Store, Version } from '../model/store.ts'
import { exactTimeOf, spanOf, timeOf } from '../model/times.ts'
import { yamlLines } from '../model/yaml.ts'
import { DeleteButton } from './delete-button.tsx'
import { Diff } from './diff.tsx'
import { Editor } from './editor.tsx'
import { CloseButton } from './close-button.tsx'
import { replicasOf, ScaleButton } from './scale-button.tsx'
import { SecretValues } from './secret-values.tsx'
import { StateIcon, stateName } from './state-icon.tsx'
import { texts } from '../language/index.ts'

/** An object: its health, its reconciles and events, its history and its content. */
export function ObjectPanel({ store, uid }: { store: Store; uid: string }) {
  const [isEditing, setEditing] = useState(false)
  /** The other changes are asked for below the buttons, one at a time. */
  const [asked, setAsked] = useState<'scale' | 'delete'>()
  const versions = store.versionsOf(uid)
  const object = store.state.objects.get(uid)
  const last = object ?? versions.findLast((version) => version.object)?.object
  if (!last) {
    return (
      <div class="scroll">
        <div class="panel-head">
          <p class="lead">{texts().didNotExist}</p>
          <CloseButton store={store} />
        </div>
      </div>
    )
  }
  const canChange = object !== undefined && store.canChange
  const replicas = replicasOf(last)
  const isLive = object !== undefined && store.moment === undefined && store.file === undefined
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${last.kind} ${last.metadata.name}`}>
      <Head store={store} last={last} exists={object !== undefined} />
      {isLive && !isEditing && (
        <div class="actions">
          {isSecret(last) && <SecretValues object={last} ask={store.ask} />}
          {canChange && !isSecret(last) && (
            <button type="button" onClick={() => setEditing(true)}>
              {texts().edit}
            </button>
          )}
          {canChange && replicas !== undefined && (
            <ScaleButton
              object={last}
              replicas={replicas}
              ask={store.ask}
              isOpen={asked === 'scale'}
              onOpen={(isOpen) => setAsked(isOpen ? 'scale' : undefined)}
            />
          )}
          {canChange && (
            <DeleteButton
              object={last}
              store={store}
              isOpen={asked === 'delete'}
              onOpen={(isOpen) => setAsked(isOpen ? 'delete' : undefined)}
            />
          )}
          {canChange && isSecret(last) && <span class="hint">{texts().secretHint}</span>}
        </div>
      )}
      {isEditing && canChange ? (
        <Editor object={last} ask={store.ask} onClose={() => setEditing(false)} />
      ) : (
        <>
          <Conditions object={last} />
          <Events store={store} object={last} />
          <History versions={versions} />
          <Yaml object={last} />
        </>
      )}
    </div>
  )
}

function Head({ store, last, exists }: { store: Store; last: RecordedObject; exists: boolean }) {
  const health = healthOf(last, exists ? reconcilesIn(store)(last).failure : undefined)
  return (
    <>
      <div class="panel-head">
        <div>
          <p class="over">
            {last.kind} <span class="quiet-text">{last.apiVersion}</span>
          </p>
          <h2>{keyOf(last.metadata)}</h2>
        </div>
        <CloseButton store={store} />
      </div>
      {exists ? (
        <p class="lead">
          <StateIcon state={health.state} /> {stateName(health.state)}
          {health.why !== '' && <span class="quiet-text"> {health.why}</span>}
        </p>
      ) : (
        <p class="lead is-bad">{texts().wasDeleted}</p>
      )}
    </>
  )
}

function Conditions({ object }: { object: RecordedObject }) {
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return null
  return (
    <>
      <h3>{texts().conditions}</h3>
      <ul class="conditions">
        {conditions.map(({ type, status, reason, message }, index) => (
          <li key={index}>
            <span class="type">{type}</span>
            <span class={`value is-${toneOf({ type, status })}`}>{status}</span>
            <span class="message">{message || reason}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface EventObject extends RecordedObject {
  readonly involvedObject?: { readonly uid?: string }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly note?: string
  readonly count?: number
  readonly lastTimestamp?: string
  readonly eventTime?: string
}

function Events({ store, object }: { store: Store; object: RecordedObject }) {
  const events = [...store.state.objects.values()]
    .filter(({ kind }) => kind === 'Event')
    .map((event) => event as EventObject)
    .filter(({ involvedObject }) => involvedObject?.uid === object.metadata.uid)
    .slice(-30)
    .toReversed()
  if (events.length === 0) return null
  return (
    <>
      <h3>{texts().events}</h3>
      <ul class="events">
        {events.map((event) => (
          <li key={event.metadata.uid} class={event.type === 'Warning' ? 'is-bad' : ''}>
            <span class="time">
              {timeOf(
                Date.parse(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? ''),
              )}
            </span>
            <span class="type">{event.reason}</span>
            <span class="message">
              {event.message}
              {(event.count ?? 1) > 1 && ` ${texts().times(event.count ?? 1)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The versions of the object, each with what it changed. */
function History({ versions }: { versions: readonly Version[] }) {
  const [open, setOpen] = useState<number>()
  if (versions.length < 2) return null
  const shown = versions
    .map((version, index) => ({ version, index }))
    .slice(-20)
    .toReversed()
  return (
    <>
      <h3>{texts().history}</h3>
      <ol class="history">
        {shown.map(({ version, index }) => {
          const before = versions[index - 1]
          return (
            <li key={index}>
              <button
                type="button"
                class="run-link"
                aria-expanded={open === index}
                onClick={() => setOpen(open === index ? undefined : index)}
              >
                <span class="time">{exactTimeOf(version.at)}</span>
                <span class="name">
                  {!version.object
                    ? texts().versionDeleted
                    : index === 0
                      ? texts().firstSeen
                      : texts().changedBy(writerOf(version.object))}
                </span>
                <span class="result">{before && texts().later(spanOf(version.at - before.at))}</span>
              </button>
              {open === index && <Diff before={before?.object} after={version.object} />}
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** The manager that wrote last, as managed fields tell it. */
function writerOf({ metadata }: RecordedObject): string {
  const latest = (metadata.managedFields ?? []).reduce<{ time: string; manager: string } | undefined>(
    (found, { time = '', manager = '' }) => (found && found.time > time ? found : { time, manager }),
    undefined,
  )
  return latest?.manager ?? texts().unknownClient
}

const COLOURS = 8

function Yaml({ object }: { object: RecordedObject }) {
  const { owners, lines } = useMemo(() => {
    const { managedFields: _, ...metadata } = object.metadata
    const { apiVersion, kind, metadata: __, ...rest } = object
    return { owners: new FieldOwners(object), lines: yamlLines({ apiVersion, kind, metadata, ...rest }) }
  }, [object])
  const colourOf = (manager: string | undefined): string =>
    manager === undefined ? '' : `owner-${owners.managers.indexOf(manager) % COLOURS}`
  return (
    <>
      <h3>{texts().yaml}</h3>
      {owners.managers.length > 0 && (
        <ul class="owners" aria-label={texts().whoSetFields}>
          {owners.managers.map((manager) => (
            <li key={manager} class={colourOf(manager)}>
              {manager}
            </li>
          ))}
        </ul>
      )}
      <pre class="yaml" tabIndex={0} aria-label={texts().objectAsYaml}>
        {lines.map(({ text, path }, index) => {
          const owner = owners.ownerOf(path)
          return (
            <span key={index} class={`line ${colourOf(owner)}`} title={owner && texts().setBy(owner)}>
              {`${text}\n`}
            </span>
          )
        })}
      </pre>
    </>
  )
}
