import type { RecordedObject } from '../../src/recording/entry.ts'
import type { MomentState } from '../../src/recording/moment-state.ts'
import { healthOf, type Health, type HealthState } from './health.ts'
import { reconcilesIn } from './reconciles-of.ts'
import { keyOf } from './run.ts'
import type { Store } from './store.ts'
import { language } from '../language/index.ts'

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

/** Which objects stand at the top, and which belong to which, each in order of kind and name. */
interface Structure {
  readonly roots: readonly string[]
  readonly children: ReadonlyMap<string, readonly string[]>
}

const structures = new WeakMap<Store, { readonly of: number; readonly structure: Structure }>()

/** The structure of what is shown. It is computed again only after it changed, because to sort thousands of names takes long. */
function structureOf(store: Store): Structure {
  const known = structures.get(store)
  if (known?.of === store.structure) return known.structure
  const { state } = store
  const own = new Set(state.operator?.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))
  const others = new Set(state.operator?.others?.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))
  const children = new Map<string, RecordedObject[]>()
  const roots: RecordedObject[] = []
  const isAtTop = ({ apiVersion, kind }: RecordedObject): boolean =>
    own.has(`${apiVersion} ${kind}`) || others.has(`${apiVersion} ${kind}`)
  const owned: RecordedObject[] = []
  for (const object of state.objects.values()) {
    if (object.kind === 'Event') continue
    const owner = ownerOf(state, object)
    if (owner) push(children, owner.metadata.uid, object)
    if (isAtTop(object)) (owner ? owned : roots).push(object)
  }
  const shown = new Set<RecordedObject>()
  const show = (object: RecordedObject): void => {
    if (shown.has(object)) return
    shown.add(object)
    for (const child of children.get(object.metadata.uid) ?? []) show(child)
  }
  for (const root of roots) show(root)
  // Objects whose owners are not shown: they are of other kinds, or own each other.
  for (const object of owned) {
    if (shown.has(object)) continue
    const top = ownersOf(state, object).findLast(isAtTop) ?? object
    const siblings = children.get(ownerOf(state, top)?.metadata.uid ?? '')
    siblings?.splice(siblings.indexOf(top), 1)
    roots.push(top)
    show(top)
  }
  const sorted = (objects: readonly RecordedObject[]): string[] =>
    objects.toSorted(byName).map(({ metadata }) => metadata.uid)
  const structure = {
    roots: sorted(roots),
    children: new Map(Array.from(children, ([owner, objects]) => [owner, sorted(objects)])),
  }
  structures.set(store, { of: store.structure, structure })
  return structure
}

/** The owner of an object, if it is known. The controller counts before others. */
function ownerOf({ objects }: MomentState, { metadata }: RecordedObject): RecordedObject | undefined {
  const owners = metadata.ownerReferences ?? []
  const owner = owners.find(({ controller }) => controller) ?? owners[0]
  return owner && objects.get(owner.uid)
}

/** The known owners of an object, from the nearest, each once. */
function ownersOf(state: MomentState, object: RecordedObject): readonly RecordedObject[] {
  const owners: RecordedObject[] = []
  let owner = ownerOf(state, object)
  while (owner && !owners.includes(owner)) {
    owners.push(owner)
    owner = ownerOf(state, owner)
  }
  return owners
}

/** The objects of the operator's kinds and what belongs to them, in order of kind and name. */
export function treeOf(store: Store, { text, state: wanted, closed }: TreeFilter): Tree {
  const { state } = store
  const { roots, children } = structureOf(store)
  const reconcilesOf = reconcilesIn(store)
  const counts: Record<HealthState, number> = { healthy: 0, working: 0, failing: 0, deleting: 0 }
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isFiltered = words.length > 0 || wanted !== undefined
  const rows: Row[] = []
  let total = 0

  /** Adds the rows of an object and its dependents; none where the search matches none of them. Returns whether it added some. */
  function add(uid: string, level: number, isHidden: boolean): boolean {
    const object = state.objects.get(uid)
    if (!object) return false
    const { failure, isRunning } = reconcilesOf(object)
    const health = failure === undefined ? knownHealth(object) : healthOf(object, failure)
    counts[health.state]++
    total++
    const below = children.get(uid) ?? NONE
    const isOpen = isFiltered || !closed.has(uid)
    const place = rows.length
    if (!isHidden) rows.push({ object, level, health, children: below.length, isOpen, isRunning })
    let hasInner = false
    // Closed ones are counted too.
    for (const child of below) hasInner = add(child, level + 1, isHidden || !isOpen) || hasInner
    if (isHidden || !isFiltered || hasInner) return true
    const matches =
      (wanted === undefined || health.state === wanted) &&
      words.every((word) => wordsOf(object).includes(word))
    if (!matches) rows.length = place
    return matches
  }

  for (const root of roots) add(root, 1, false)
  return { rows, counts, total }
}

const NONE: readonly string[] = []

/** The health of objects without a failed reconcile, in the language in which it was told. An object never changes: another version is another object. */
const told = new WeakMap<RecordedObject, { readonly language: string; readonly health: Health }>()

function knownHealth(object: RecordedObject): Health {
  const known = told.get(object)
  if (known?.language === language()) return known.health
  const health = healthOf(object)
  told.set(object, { language: language(), health })
  return health
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
