import { leavesOf, type Leaves } from './leaves.ts'
import { fullNames, roughNames, type Life, type Rename } from './names.ts'
import type { Played } from './play.ts'

/** The changes of one object in one step: the values of each path that changed, from the one before the step. */
export interface ObjectHistory {
  readonly is?: 'made' | 'gone' | 'made and gone'
  readonly changed: Readonly<Record<string, readonly unknown[]>>
}

export interface StepHistory {
  readonly step: string
  readonly problems: readonly string[]
  readonly objects: Readonly<Record<string, ObjectHistory>>
}

/** A scenario as it went, without what no two runs have in common. */
export interface History {
  readonly steps: readonly StepHistory[]
  /** All objects as they were at the end, or at their own. */
  readonly last: Readonly<Record<string, unknown>>
  /** The messages about objects, in no order. */
  readonly events: readonly string[]
}

/**
 * Makes a run comparable. Random names, hashes, uids, times and addresses get names that two runs share; objects that
 * differ in nothing but random names are numbered by what happened to them. Within a step each path has its values in
 * their order, whether one write or several brought them. Numbers in a status pass by as fast as Pods come and go: of
 * them only the first and the last of a step count.
 */
export function historyOf(played: Played): History {
  const lives = livesOf(played)
  const rough = roughNames(played, lives)
  const { rename, nameOf } = fullNames(played, lives, numbersOf(lives, rough))
  const objects = lives.map((life) => ({ name: nameOf(life), steps: stepsOf(life, rename) }))
  const steps = played.steps.map(({ title, problems }, index) => {
    const changed = objects.flatMap(({ name, steps }) => {
      const history = steps.get(index)
      return history ? ([[name, history]] as const) : []
    })
    return { step: title, problems, objects: sortedRecord(changed) }
  })
  const last = lives.map((life) => {
    const object = shown(life.changes.at(-1)?.object, rename)
    const rest = COUNTING.has(life.kind) ? withoutStatus(object) : object
    return [nameOf(life), isGone(life) ? { gone: true, ...rest } : object] as const
  })
  return { steps, last: sortedRecord(last), events: eventsOf(played, rename) }
}

/** Kinds whose status counts others. */
const COUNTING = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'Job', 'CronJob'])

function withoutStatus(object: Record<string, unknown>): Record<string, unknown> {
  const { status: _, ...rest } = object
  return rest
}

function livesOf({ steps }: Played): Life[] {
  const lives = new Map<string, Life & { readonly changes: Life['changes'][number][] }>()
  for (const [step, { changes }] of steps.entries()) {
    for (const { type, object } of changes) {
      const { uid, name, generateName } = object.metadata
      const known = lives.get(uid)
      if (known) {
        known.changes.push({ step, type, object })
        continue
      }
      lives.set(uid, {
        uid,
        kind: object.kind,
        name,
        generateName: isRandom(name, generateName) ? generateName : undefined,
        changes: [{ step, type, object }],
      })
    }
  }
  return [...lives.values()]
}

/** The Pods of a StatefulSet say that their names were generated, but they are not. */
function isRandom(name: string, generateName = ''): boolean {
  return (
    generateName !== '' &&
    name.startsWith(generateName) &&
    /^[a-z0-9]{5}$/.test(name.slice(generateName.length))
  )
}

/** Numbers objects of one generated name by when they came and went, and by what else happened to them. */
function numbersOf(lives: readonly Life[], rough: Rename): Map<string, number> {
  const order = lives
    .filter(({ generateName }) => generateName)
    .map((life) => {
      const made = life.changes[0]?.step ?? 0
      const end = isGone(life) ? (life.changes.at(-1)?.step ?? 0) : 999
      const times = [made, end].map((step) => String(step).padStart(3, '0')).join(' ')
      const what = JSON.stringify([[...stepsOf(life, rough)], shown(life.changes.at(-1)?.object, rough)])
      return { uid: life.uid, group: `${life.kind} ${rough(life.name)}`, key: `${times} ${what}` }
    })
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const counts = new Map<string, number>()
  const numbers = new Map<string, number>()
  for (const { uid, group } of order) {
    const number = (counts.get(group) ?? 0) + 1
    counts.set(group, number)
    numbers.set(uid, number)
  }
  return numbers
}

function isGone(life: Life): boolean {
  return life.changes.at(-1)?.type === 'DELETED'
}

/** The changes of an object, by the number of the step. */
function stepsOf(life: Life, rename: Rename): Map<number, ObjectHistory> {
  const byStep = Map.groupBy(life.changes, ({ step }) => step)
  const steps = new Map<number, ObjectHistory>()
  let before: Leaves | undefined
  for (const [step, changes] of byStep) {
    const states = changes.map(({ object }) => leavesOf(shown(object, rename)))
    const made = changes[0]?.type === 'ADDED'
    const gone = changes.at(-1)?.type === 'DELETED'
    const is = made ? (gone ? 'made and gone' : 'made') : gone ? 'gone' : undefined
    const changed = sequences(before ? [before, ...states] : states, gone && COUNTING.has(life.kind))
    before = states.at(-1)
    if (is || Object.keys(changed).length > 0) steps.set(step, { ...(is && { is }), changed })
  }
  return steps
}

/**
 * The values that each path had one after the other, where there was more than one. The status of a workload in the
 * step in which it goes is a race with what takes it away.
 */
function sequences(states: readonly Leaves[], withoutStatus: boolean): Record<string, unknown[]> {
  const paths = new Set(states.flatMap((state) => [...state.keys()]))
  const found: Record<string, unknown[]> = {}
  for (const path of [...paths].sort()) {
    if (withoutStatus && /^status\b/.test(path)) continue
    const values = states.map((state) => state.get(path) ?? null)
    const passing =
      path.startsWith('status.') && values.every((value) => value === null || typeof value === 'number')
    const told = passing ? [values[0], values.at(-1)] : values
    const distinct = told.filter((value, index) => index === 0 || !same(value, told[index - 1]))
    if (distinct.length > 1) found[path] = distinct
  }
  return found
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Metadata that every run has of its own. */
const OWN_METADATA = new Set([
  'resourceVersion',
  'uid',
  'managedFields',
  'creationTimestamp',
  'namespace',
  'name',
  'selfLink',
])

/** An object without what is its own in every run, with its fields in the order of the alphabet. */
function shown(object: any, rename: Rename): Record<string, unknown> {
  const { metadata, ...rest } = object
  const kept = Object.fromEntries(Object.entries(metadata).filter(([key]) => !OWN_METADATA.has(key)))
  if (Array.isArray(kept['finalizers'])) kept['finalizers'] = (kept['finalizers'] as string[]).toSorted()
  const { apiVersion: _, kind, ...parts } = rest
  // How many writes its changes take depends on how Pods happen to come.
  if (kind === 'EndpointSlice') delete kept['generation']
  return ordered(
    { ...(Object.keys(kept).length > 0 && { metadata: kept }), ...withoutOwn(kind, parts) },
    rename,
  ) as Record<string, unknown>
}

/** The fields that the test kubelet writes, the same on both sides, and those that no controller changes. */
const OF_KUBELET = new Set(['containerStatuses', 'hostIP', 'hostIPs', 'podIP', 'podIPs', 'startTime'])

/** The fields that a server sets itself. */
function withoutOwn(kind: string, parts: any): any {
  if (kind === 'Pod') {
    // The plugin that fills them in does not run on every control plane for tests.
    const { serviceAccount: _, serviceAccountName: __, ...spec } = parts.spec
    const status = Object.entries(parts.status ?? {}).filter(([field]) => !OF_KUBELET.has(field))
    return { ...parts, spec, status: Object.fromEntries(status) }
  }
  if (kind === 'Deployment' && parts.status?.conditions) {
    return {
      ...parts,
      status: { ...parts.status, conditions: parts.status.conditions.map(withoutPassing) },
    }
  }
  if (kind === 'Service' && parts.spec.clusterIP && parts.spec.clusterIP !== 'None') {
    return { ...parts, spec: { ...parts.spec, clusterIP: 'ADDRESS', clusterIPs: ['ADDRESS'] } }
  }
  if (kind === 'ConfigMap' && parts.data?.['ca.crt']?.includes('BEGIN CERTIFICATE')) {
    return { ...parts, data: { ...parts.data, 'ca.crt': 'CERTIFICATE' } }
  }
  return parts
}

/**
 * Kubernetes writes that it made a ReplicaSet, or only that it makes progress, depending on which of its own writes it
 * has seen.
 */
function withoutPassing(condition: any): any {
  if (condition.reason !== 'NewReplicaSetCreated') return condition
  const name = /"(.*)"/.exec(condition.message)?.[1]
  return { ...condition, reason: 'ReplicaSetUpdated', message: `ReplicaSet "${name}" is progressing.` }
}

function ordered(value: unknown, rename: Rename): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item, rename))
    return items.every(isOfSet)
      ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key]) => key !== 'resourceVersion')
  return sortedRecord(fields.map(([key, child]) => [key, ordered(child, rename)] as const))
}

/** Uids and endpoints stand in no certain order, or in that of what is random in them. */
function isOfSet(item: any): boolean {
  if (typeof item === 'string') return item.startsWith('uid of ')
  return item?.targetRef !== undefined || (item?.addresses !== undefined && item.conditions !== undefined)
}

function sortedRecord<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Kubernetes tells one story less often by putting this before it. */
const COMBINED = '(combined from similar events): '

function eventsOf({ events }: Played, rename: Rename): string[] {
  const told = events.map(({ involvedObject, type, reason, message = '' }) => {
    const text = String(message).replace(COMBINED, '')
    return rename(`${involvedObject?.kind}/${involvedObject?.name} ${type} ${reason}: ${text}`)
  })
  return [...new Set(told)].sort()
}
