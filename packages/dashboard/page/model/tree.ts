import type { RecordedObject } from '../../src/recording/entry.ts'
import { healthOf, type Health, type HealthState } from './health.ts'
import type { Run, Store } from './store.ts'
import { texts } from '../language/index.ts'

/** One line of the tree. */
export interface Row {
  readonly object: RecordedObject
  readonly level: number
  readonly health: Health
  readonly children: number
  readonly isOpen: boolean
  /** Whether the object is being reconciled. */
  readonly isRunning: boolean
}

export interface Tree {
  readonly rows: readonly Row[]
  /** How many objects there are of each state, whatever is searched for. */
  readonly counts: Readonly<Record<HealthState, number>>
  readonly total: number
}

export interface TreeFilter {
  readonly text: string
  readonly state: HealthState | undefined
  readonly closed: ReadonlySet<string>
}

/** The objects of the operator's kinds and what belongs to them, in order of kind and name. */
export function treeOf(store: Store, { text, state: wanted, closed }: TreeFilter): Tree {
  const { state } = store
  const own = new Set(state.operator?.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))
  const others = new Set(state.operator?.others?.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))
  const children = new Map<string, RecordedObject[]>()
  const roots: RecordedObject[] = []
  const isAtTop = (kind: string): boolean => own.has(kind) || others.has(kind)
  for (const object of state.objects.values()) {
    if (object.kind === 'Event') continue
    const owners = object.metadata.ownerReferences ?? []
    const owner = (owners.find(({ controller }) => controller) ?? owners[0])?.uid
    if (owner !== undefined && state.objects.has(owner)) push(children, owner, object)
    else if (isAtTop(`${object.apiVersion} ${object.kind}`)) roots.push(object)
  }
  const errors = lastErrors(store)
  const running = new Set([...state.running.values()].map(({ request }) => keyOf(request)))
  const counts: Record<HealthState, number> = { healthy: 0, working: 0, failing: 0, deleting: 0 }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isFiltered = words.length > 0 || wanted !== undefined
  let total = 0

  /** The rows of an object and its dependents; none where the search matches none of them. */
  function rowsOf(object: RecordedObject, level: number): Row[] {
    const { uid } = object.metadata
    const isOwn = own.has(`${object.apiVersion} ${object.kind}`)
    const health = healthOf(object, isOwn ? errors.get(keyOf(object.metadata)) : undefined)
    counts[health.state]++
    total++
    const below = (children.get(uid) ?? []).toSorted(byName)
    const isOpen = isFiltered || !closed.has(uid)
    const inner = below.flatMap((child) => rowsOf(child, level + 1))
    const matches =
      (wanted === undefined || health.state === wanted) &&
      words.every((word) => wordsOf(object).includes(word))
    if (isFiltered && !matches && inner.length === 0) return []
    const isRunning = isOwn && running.has(keyOf(object.metadata))
    const row = { object, level, health, children: below.length, isOpen, isRunning }
    return isOpen ? [row, ...inner] : [row]
  }

  const rows = roots.toSorted(byName).flatMap((root) => rowsOf(root, 1))
  return { rows, counts, total }
}

/** How the last reconcile of each object failed, if it did. */
function lastErrors(store: Store): Map<string, string> {
  const errors = new Map<string, string>()
  for (const { request, ended } of store.runs.values()) {
    if (!ended || !store.isShown(ended)) continue
    if (isFailure(ended)) errors.set(keyOf(request), ended.error ?? texts().lastFailed)
    // Most operators have no failure among thousands of reconciles.
    else if (errors.size > 0) errors.delete(keyOf(request))
  }
  return errors
}

/** Whether a reconcile went wrong. A lost race is ordinary. */
export function isFailure(ended: NonNullable<Run['ended']>): boolean {
  return ended.result === 'error' || ended.result === 'terminal' || ended.result === 'abandoned'
}

export function keyOf({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

function wordsOf({ kind, metadata }: RecordedObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`.toLowerCase()
}

/** Made once: a comparison with options makes one each time, which takes most of the time of a large tree. */
const NAMES = new Intl.Collator(undefined, { numeric: true })

function byName(a: RecordedObject, b: RecordedObject): number {
  const byKind = a.kind === b.kind ? 0 : NAMES.compare(a.kind, b.kind)
  return byKind || NAMES.compare(keyOf(a.metadata), keyOf(b.metadata))
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
