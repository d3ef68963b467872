import { apiVersionOf, deepEqual, isJsonObject, type AnyKind } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { nameOf, pathText, type ObjectReference } from '../stories/index.ts'
import { normalise, type NormalisedObject } from './normalise.ts'

/** The objects of a world at rest, by a name that is the same in every run. */
export type State = ReadonlyMap<string, NormalisedObject>

/** Where two states differ. */
export interface Difference {
  /** `ConfigMap default/web`. */
  readonly object: string
  /** Empty if the whole object exists in only one of the states. */
  readonly path: string
  readonly expected: unknown
  readonly found: unknown
}

/** An object as it is stored, or `undefined` where it is gone. */
export async function readObject(
  environment: TestEnvironment,
  kinds: readonly AnyKind[],
  reference: ObjectReference,
): Promise<any> {
  const kind = kindNamed(kinds, reference)
  if (kind) return environment.stored(kind, reference)
  const { code, body } = await environment.call('GET', pathOf(kinds, reference))
  return code === 200 ? body : undefined
}

/** Where the API serves an object. */
export function pathOf(
  kinds: readonly AnyKind[],
  { apiVersion, kind, namespace, name }: ObjectReference,
): string {
  return `${collectionOf(kinds, { apiVersion, kind, namespace })}/${encodeURIComponent(name)}`
}

export function collectionOf(
  kinds: readonly AnyKind[],
  { apiVersion, kind, namespace }: Omit<ObjectReference, 'name'>,
): string {
  const found = kindNamed(kinds, { apiVersion, kind })
  const plural = found?.plural ?? `${kind.toLowerCase()}s`
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`
}

export function kindNamed(
  kinds: readonly AnyKind[],
  { apiVersion, kind }: Pick<ObjectReference, 'apiVersion' | 'kind'>,
): AnyKind | undefined {
  return kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
}

/** The state that these objects are in. */
export function stateOf(objects: readonly any[], isOwn: (object: any) => boolean): State {
  const names = stableNames(objects)
  const uids = new Map(
    objects.map((object, index) => [object.metadata.uid as string, `<uid of ${names[index]}>`]),
  )
  const state = objects.map((object, index): [string, NormalisedObject] => [
    names[index]!,
    normalise(object, { uids, withStatus: isOwn(object) }),
  ])
  return new Map(state.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A digest of a state (FNV-1a, twice 32 bits): equal states have equal digests, others hardly ever. */
export function digestOfState(state: State): string {
  const text = JSON.stringify([...state])
  let one = 0x811c9dc5
  let other = 0x1000193
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b)
  }
  return [one, other].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Names in which what a server generated is replaced by a number. */
function stableNames(objects: readonly any[]): string[] {
  const counts = new Map<string, number>()
  return objects.map((object) => {
    const { apiVersion, kind, metadata } = object
    const { generateName, name, namespace } = metadata
    if (typeof generateName !== 'string' || !name.startsWith(generateName)) {
      return nameOf({ apiVersion, kind, namespace, name })
    }
    const prefix = nameOf({ apiVersion, kind, namespace, name: generateName })
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}<${count}>`
  })
}

/** Where the second state differs from the first, except at places that vary from run to run. */
export function compare(
  expected: State,
  found: State,
  varying: ReadonlySet<string> = new Set(),
): Difference[] {
  const names = new Set([...expected.keys(), ...found.keys()])
  return [...names].toSorted().flatMap((object) => {
    const differences = [...differ(expected.get(object), found.get(object), [])]
    return differences
      .map(([path, before, after]) => ({ object, path, expected: before, found: after }))
      .filter(({ path }) => !isVarying(varying, object, path))
  })
}

/** The places in which two runs of one story differ, because of randomness or time. */
export function varyingPlaces(one: State, other: State): Set<string> {
  return new Set(compare(one, other).map(({ object, path }) => place(object, path)))
}

/** Whether this place varies, or a place above it. */
function isVarying(varying: ReadonlySet<string>, object: string, path: string): boolean {
  const ends = Array.from(path.matchAll(/[.[]/g), ({ index }) => index)
  return [0, ...ends, path.length].some((end) => varying.has(place(object, path.slice(0, end))))
}

function place(object: string, path: string): string {
  return `${object} ${path}`
}

type PathDifference = [path: string, expected: unknown, found: unknown]

function* differ(
  expected: unknown,
  found: unknown,
  path: readonly (string | number)[],
): Generator<PathDifference> {
  if (deepEqual(expected, found)) return
  if (isJsonObject(expected) && isJsonObject(found)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      yield* differ(expected[key], found[key], [...path, key])
    }
  } else if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    for (const [index, item] of expected.entries()) yield* differ(item, found[index], [...path, index])
  } else {
    yield [pathText(path), expected, found]
  }
}
