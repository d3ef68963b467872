import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import { anyValue, hostileInteger, hostileKey, hostileText } from './hostile-values.ts'
import {
  copyTree,
  getAt,
  isTreeObject,
  pointerOf,
  setKey,
  textOf,
  type Path,
  type Tree,
  type TreeObject,
} from './json-tree.ts'
import { generate, mutate, placesIn } from './mutate.ts'
import type { Random } from './random.ts'
import type { FuzzedKind } from './seeds.ts'
import { mayBeStored, nameFor, type StandingObject } from './standing-objects.ts'

const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** The numbers of the objects that cases make, beyond those of standing objects. */
const NEW_OBJECT = 255
const FIRST_CASE = 256

/** A case about a kind. `standing` are the objects of this kind that stand on both servers. */
export function randomCase(
  random: Random,
  kind: FuzzedKind,
  standing: readonly StandingObject[],
  index: number,
): FuzzCase {
  const make = (verb: string, requests: readonly FuzzRequest[], leaves?: string): FuzzCase => ({
    kind: kind.name,
    verb,
    requests,
    ...(leaves && { leaves }),
  })
  const changes = standing.length > 0 ? 1 : 0
  const stored = mayBeStored(kind) ? 1 : 0
  return random.weighted<() => FuzzCase>([
    [kind.verbs.includes('create') ? 50 : 0, () => make('create', [createRequest(random, kind)])],
    [12 * changes, () => make('update', [updateRequest(random, kind, random.pick(standing), '')])],
    [8 * changes, () => make('merge patch', [mergeRequest(random, kind, random.pick(standing), MERGE)])],
    [
      8 * changes,
      () => make('strategic patch', [mergeRequest(random, kind, random.pick(standing), STRATEGIC)]),
    ],
    [7 * changes, () => make('JSON patch', [jsonPatchRequest(random, kind, random.pick(standing))])],
    [8 * changes, () => make('apply', [applyRequest(random, kind, random.pick(standing))])],
    [4 * changes, () => make('delete', [deleteRequest(random, random.pick(standing).path, true)])],
    [5 * changes, () => make('subresource', [subresourceRequest(random, kind, random.pick(standing))])],
    [2 * changes, () => make('list', [listRequest(random, kind)])],
    [8 * stored, () => storedCase(random, kind, index, make)],
  ])()
}

function query(parts: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function fieldValidation(random: Random): string | undefined {
  return random.weighted([
    [5, undefined],
    [3, 'Strict'],
    [2, 'Warn'],
    [1, 'Ignore'],
    [0.1, 'Other'],
  ] as const)
}

/** A seed that was changed a few times, most often once. */
function mutated(random: Random, kind: FuzzedKind, seed: TreeObject): TreeObject {
  const object = copyTree(seed)
  const times = random.weighted([
    [1, 0],
    [14, 1],
    [5, 2],
    [2, 3],
    [1, 6],
  ] as const)
  for (let index = 0; index < times; index++) mutate(random, kind, object)
  return object
}

function createRequest(random: Random, kind: FuzzedKind): FuzzRequest {
  const seed = random.chance(0.12) ? generated(random, kind) : random.pick(kind.seeds)
  return {
    method: 'POST',
    path: `${kind.path}${query({ dryRun: 'All', fieldValidation: fieldValidation(random) })}`,
    body: mutated(random, kind, seed),
  }
}

/** An object that is made by the schema alone. */
function generated(random: Random, kind: FuzzedKind): TreeObject {
  const [seed] = kind.seeds
  const made = generate(random, kind, kind.schema, '', 4)
  const object = isTreeObject(made) ? made : {}
  for (const key of ['apiVersion', 'kind', 'metadata']) {
    const value = seed?.[key]
    if (value !== undefined) setKey(object, key, copyTree(value))
  }
  return object
}

function updateRequest(
  random: Random,
  kind: FuzzedKind,
  { path, object }: StandingObject,
  part: string,
): FuzzRequest {
  const source = random.chance(0.3) ? named(random.pick(kind.seeds), path) : object
  return {
    method: 'PUT',
    path: `${path}${part}${query({ dryRun: 'All', fieldValidation: fieldValidation(random) })}`,
    body: mutated(random, kind, source),
  }
}

function named(seed: TreeObject, path: string): TreeObject {
  const object = copyTree(seed)
  const metadata = isTreeObject(object['metadata']) ? object['metadata'] : {}
  setKey(metadata, 'name', path.slice(path.lastIndexOf('/') + 1))
  setKey(object, 'metadata', metadata)
  return object
}

/** A patch of one or two places. An item of a list is named by its merge key, so that the patch finds it. */
function mergeRequest(
  random: Random,
  kind: FuzzedKind,
  { path, object }: StandingObject,
  type: string,
): FuzzRequest {
  const changed = mutated(random, kind, object)
  const patch: TreeObject = {}
  for (let count = random.chance(0.7) ? 1 : 2; count > 0; count--) {
    const places = placesIn(kind, changed)
    if (places.length === 0) break
    merge(patch, partAt(random, changed, random.pick(places).path, type === STRATEGIC))
  }
  if (type === STRATEGIC && random.chance(0.15)) directive(random, patch)
  return {
    method: 'PATCH',
    path: `${path}${query({ dryRun: 'All', fieldValidation: fieldValidation(random) })}`,
    type,
    body: random.chance(0.03) ? anyValue(random) : patch,
  }
}

const MERGE_KEYS = [
  'name',
  'containerPort',
  'port',
  'mountPath',
  'devicePath',
  'ip',
  'type',
  'key',
  'uid',
  'topologyKey',
]

function partAt(random: Random, tree: TreeObject, path: Path, strategic: boolean): TreeObject {
  const leaf = random.chance(0.2) ? null : copyTree(getAt(tree, path))
  let part: Tree = leaf
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const key = path[depth]!
    if (typeof key === 'number') {
      const item = getAt(tree, path.slice(0, depth + 1))
      if (strategic && isTreeObject(item) && isTreeObject(part)) {
        for (const name of MERGE_KEYS) {
          if (Object.hasOwn(item, name) && !Object.hasOwn(part, name)) setKey(part, name, item[name])
        }
      }
      part = [part]
    } else {
      const object: TreeObject = {}
      setKey(object, key, part)
      part = object
    }
  }
  return isTreeObject(part) ? part : {}
}

function merge(target: TreeObject, source: TreeObject): void {
  for (const key of Object.keys(source)) {
    const [mine, other] = [Object.hasOwn(target, key) ? target[key] : undefined, source[key]]
    if (isTreeObject(mine) && isTreeObject(other)) merge(mine, other)
    else setKey(target, key, other)
  }
}

function directive(random: Random, patch: TreeObject): void {
  const objects: TreeObject[] = [patch]
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item)
    else if (isTreeObject(value)) {
      objects.push(value)
      for (const child of Object.values(value)) walk(child)
    }
  }
  for (const child of Object.values(patch)) walk(child)
  const object = random.pick(objects)
  random.weighted<() => void>([
    [3, () => setKey(object, '$patch', random.pick(['delete', 'replace', 'merge', 'other']))],
    [1, () => setKey(object, '$patch', anyValue(random))],
    [1, () => setKey(object, '$retainKeys', random.chance(0.5) ? Object.keys(object) : anyValue(random))],
    [
      1,
      () => setKey(object, `$setElementOrder/${random.pick(['containers', 'ports', 'x'])}`, [{ name: 'c' }]),
    ],
    [
      1,
      () => setKey(object, `$deleteFromPrimitiveList/${random.pick(['finalizers', 'x'])}`, anyValue(random)),
    ],
  ])()
}

function jsonPatchRequest(random: Random, kind: FuzzedKind, { path, object }: StandingObject): FuzzRequest {
  const changed = mutated(random, kind, object)
  const places = placesIn(kind, changed)
  const pointer = (): string => {
    const found = places.length > 0 ? pointerOf(random.pick(places).path) : ''
    return random.weighted([
      [8, found],
      [2, `${found}/${hostileKey(random).replaceAll('~', '~0').replaceAll('/', '~1')}`],
      [1, `${found}/-`],
      [1, `${found}/${random.pick(['0', '1', '-1', '01', '9999999999'])}`],
      [0.5, hostileText(random)],
      [0.5, ''],
    ] as const)
  }
  const operation = (): TreeObject => {
    const op = random.weighted([
      [5, 'add'],
      [5, 'replace'],
      [3, 'remove'],
      [1, 'move'],
      [1, 'copy'],
      [1, 'test'],
      [0.3, 'other'],
    ] as const)
    const at = pointer()
    const whole = places.find(({ path: place }) => pointerOf(place) === at)
    const value = whole && random.chance(0.6) ? copyTree(getAt(changed, whole.path)) : anyValue(random)
    if (op === 'remove') return { op, path: at }
    return op === 'move' || op === 'copy' ? { op, from: pointer(), path: at } : { op, path: at, value }
  }
  const count = random.weighted([
    [0.3, 0],
    [6, 1],
    [3, 2],
    [1, 3],
  ] as const)
  return {
    method: 'PATCH',
    path: `${path}${query({ dryRun: 'All', fieldValidation: fieldValidation(random) })}`,
    type: JSON_PATCH,
    body: random.chance(0.03) ? anyValue(random) : Array.from({ length: count }, operation),
  }
}

function applyRequest(random: Random, kind: FuzzedKind, standing: StandingObject): FuzzRequest {
  const name = random.chance(0.3)
    ? nameFor(kind, 'new-object', NEW_OBJECT)
    : standing.path.slice(standing.path.lastIndexOf('/') + 1)
  const path = `${standing.path.slice(0, standing.path.lastIndexOf('/'))}/${name}`
  const whole = random.chance(0.6)
  const source = whole ? named(standing.object, path) : named(generated(random, kind), path)
  return {
    method: 'PATCH',
    path: `${path}${query({
      dryRun: 'All',
      fieldManager: random.chance(0.95) ? 'applier' : hostileText(random),
      force: random.pick(['true', 'true', 'false', undefined]),
      fieldValidation: fieldValidation(random),
    })}`,
    type: APPLY,
    body: mutated(random, kind, source),
  }
}

function deleteRequest(random: Random, path: string, dry: boolean): FuzzRequest {
  const scalar = (): string =>
    textOf(random.chance(0.7) ? hostileInteger(random) : hostileText(random)).replaceAll('"', '')
  const parts = {
    ...(dry && { dryRun: 'All' }),
    ...(random.chance(0.3) && { gracePeriodSeconds: scalar() }),
    ...(random.chance(0.2) && {
      propagationPolicy: random.pick(['Foreground', 'Background', 'Orphan', 'Other', '']),
    }),
    ...(random.chance(0.1) && { orphanDependents: random.pick(['true', 'false', 'x']) }),
  }
  const body: TreeObject = { kind: 'DeleteOptions', apiVersion: 'v1', ...(dry && { dryRun: ['All'] }) }
  const fields: Record<string, () => Tree> = {
    gracePeriodSeconds: () => (random.chance(0.8) ? hostileInteger(random) : anyValue(random)),
    propagationPolicy: () => random.pick<Tree>(['Foreground', 'Background', 'Orphan', 'Other', '', null, 1]),
    orphanDependents: () => random.pick<Tree>([true, false, null, 'x']),
    preconditions: () =>
      random.pick<Tree>([{}, { uid: 'x' }, { resourceVersion: '1' }, { uid: 5 }, null, [], 'x']),
    [hostileKey(random)]: () => anyValue(random),
  }
  for (const [name, value] of Object.entries(fields)) if (random.chance(0.25)) setKey(body, name, value())
  const path_ = `${path}${query(parts)}`
  return random.chance(0.7) ? { method: 'DELETE', path: path_, body } : { method: 'DELETE', path: path_ }
}

const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' }

function subresourceRequest(random: Random, kind: FuzzedKind, standing: StandingObject): FuzzRequest {
  const name = standing.path.slice(standing.path.lastIndexOf('/') + 1)
  const usable = kind.subresources.filter((part) => !/^(exec|attach|portforward|proxy|log)$/.test(part))
  if (usable.length === 0) return updateRequest(random, kind, standing, '/status')
  const part = random.pick(usable)
  const dry = query({ dryRun: 'All', fieldValidation: fieldValidation(random) })
  const metadata = { name }
  const post = (body: TreeObject): FuzzRequest => {
    for (let times = random.below(3); times > 0; times--) {
      const places = placesIn({ ...kind, schema: {} }, body)
      const { path } = random.pick(places)
      const parent = getAt(body, path.slice(0, -1))
      if (isTreeObject(parent)) setKey(parent, String(path.at(-1)), anyValue(random))
    }
    return { method: 'POST', path: `${standing.path}/${part}${dry}`, body }
  }
  switch (part) {
    case 'scale': {
      const body = { ...SCALE, metadata, spec: { replicas: hostileInteger(random) } }
      const path = `${standing.path}/scale${dry}`
      return random.chance(0.5)
        ? { method: 'PUT', path, body }
        : {
            method: 'PATCH',
            path,
            type: MERGE,
            body: { spec: { replicas: random.chance(0.7) ? hostileInteger(random) : anyValue(random) } },
          }
    }
    case 'token':
      return post({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: ['a'],
          expirationSeconds: random.chance(0.7) ? hostileInteger(random) : anyValue(random),
          ...(random.chance(0.3) && {
            boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u' },
          }),
        },
      })
    case 'eviction':
      return post({
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata,
        deleteOptions: { gracePeriodSeconds: hostileInteger(random), dryRun: ['All'] },
      })
    case 'binding':
      return post({ apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n1' } })
    default:
      return random.chance(0.5)
        ? updateRequest(random, kind, standing, `/${part}`)
        : partPatch(random, kind, standing, part)
  }
}

function partPatch(random: Random, kind: FuzzedKind, standing: StandingObject, part: string): FuzzRequest {
  const object = { ...standing.object, status: generated(random, kind)['status'] ?? {} }
  const { path, ...request } = mergeRequest(
    random,
    kind,
    { ...standing, object },
    kind.custom ? MERGE : random.pick([MERGE, STRATEGIC]),
  )
  return { ...request, path: path.replace(standing.path, `${standing.path}/${part}`) }
}

function listRequest(random: Random, kind: FuzzedKind): FuzzRequest {
  const selector = (): string =>
    random.pick([
      hostileKey(random),
      `${hostileKey(random)}=${hostileText(random)}`,
      `${hostileKey(random)} in (${hostileText(random)})`,
      `!${hostileKey(random)}`,
      `metadata.name=${hostileText(random)}`,
      `metadata.${hostileKey(random)}=x`,
    ])
  return {
    method: 'GET',
    path: `${kind.path}${query({
      ...(random.chance(0.5) && { labelSelector: selector() }),
      ...(random.chance(0.5) && { fieldSelector: selector() }),
      ...(random.chance(0.2) && { limit: textOf(hostileInteger(random)) }),
      ...(random.chance(0.1) && { continue: hostileText(random) }),
      ...(random.chance(0.1) && { resourceVersion: hostileText(random) }),
    })}`,
  }
}

/** An object of its own: made, read, changed, deleted, read again. */
function storedCase(
  random: Random,
  kind: FuzzedKind,
  index: number,
  make: (verb: string, requests: readonly FuzzRequest[], leaves: string) => FuzzCase,
): FuzzCase {
  const name = nameFor(kind, `case-${index}`, FIRST_CASE + (index % 65_000))
  const path = `${kind.path}/${name}`
  const object = named(random.pick(kind.seeds), path)
  const made = mutated(random, kind, object)
  const standing = { path, object: made }
  const wet = (request: FuzzRequest): FuzzRequest => ({
    ...request,
    path: request.path.replace(/dryRun=All&?/, ''),
  })
  const change = random.pick([
    () => updateRequest(random, kind, standing, ''),
    () => mergeRequest(random, kind, standing, kind.custom ? MERGE : random.pick([MERGE, STRATEGIC])),
    () => jsonPatchRequest(random, kind, standing),
    () => updateRequest(random, kind, standing, '/status'),
  ])
  const apply = random.chance(0.4)
  const first: FuzzRequest = apply
    ? { method: 'PATCH', path: `${path}?fieldManager=one&force=true`, type: APPLY, body: named(made, path) }
    : { method: 'POST', path: kind.path, body: named(made, path) }
  return make(
    apply ? 'stored apply' : 'stored create',
    [
      first,
      wet(change()),
      { method: 'GET', path },
      wet(deleteRequest(random, path, false)),
      { method: 'GET', path },
    ],
    path,
  )
}
