import { globSync, readFileSync } from 'node:fs'
import {
  definitions,
  nativeResources,
} from '../../packages/apiserver/src/schema/generated/native-resources.ts'
import type { NativeResource } from '../../packages/apiserver/src/schema/types/native-resource.ts'
import type { SchemaNode } from '../../packages/apiserver/src/schema/types/type-schema.ts'
import type { Changes, Questions } from '../../packages/apiserver/test/answers/question.ts'
import { copyTree, setAt, type Tree, type TreeObject } from './json-tree.ts'
import { MORE_BASES } from './more-bases.ts'

/** A kind under test, with objects of it that a server takes. */
export interface FuzzedKind {
  /** `apps/v1 Deployment`. */
  readonly name: string
  /** The path of its collection, with `{ns}` for the namespace. */
  readonly path: string
  readonly schema: SchemaNode
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
  readonly custom: boolean
  /** Objects to start from. The first is the plainest. */
  readonly seeds: readonly TreeObject[]
  /** Values that questions about this kind hold, by the name of their field. */
  readonly vocabulary: ReadonlyMap<string, readonly Tree[]>
}

const ANSWERS = new URL('../../packages/apiserver/test/answers/recorded/', import.meta.url)

/** Every native kind that both servers serve and for which there is an object to start from. */
export function nativeKinds(): FuzzedKind[] {
  const found = new Map<string, { seeds: TreeObject[]; vocabulary: Map<string, Tree[]> }>()
  const at = (path: string) => {
    let entry = found.get(path)
    if (!entry) found.set(path, (entry = { seeds: [], vocabulary: new Map() }))
    return entry
  }
  for (const file of globSync('*.json', { cwd: ANSWERS.pathname }).sort()) {
    const asked = JSON.parse(readFileSync(new URL(file, ANSWERS), 'utf8')) as Questions
    const { seeds, vocabulary } = at(asked.path)
    seeds.push(asked.base as TreeObject)
    for (const { ask, from, set, was, code } of asked.questions) {
      for (const changes of [from, set, was]) collect(changes, vocabulary)
      if (ask === 'create' && code === 201) seeds.push(changed(asked.base, set))
    }
  }
  for (const [path, base] of Object.entries(MORE_BASES)) at(path).seeds.push(base as TreeObject)
  return [...found].flatMap(([path, { seeds, vocabulary }]) => {
    const resource = nativeResources.find((one) => pathOf(one) === path)
    return resource ? [kindOf(resource, path, seeds, vocabulary)] : []
  })
}

function kindOf(
  resource: NativeResource,
  path: string,
  seeds: readonly TreeObject[],
  vocabulary: ReadonlyMap<string, readonly Tree[]>,
): FuzzedKind {
  const { group, version, kind, verbs, discoveredSubresources } = resource
  return {
    name: `${group === '' ? '' : `${group}/`}${version} ${kind}`,
    // These would change what is answered about Pods and claims, so that they have a namespace of their own.
    path: /limitranges|resourcequotas/.test(path) ? path.replace('{ns}', '{ns}-limits') : path,
    schema: definitions[resource.definition] ?? {},
    verbs,
    subresources: discoveredSubresources.map(({ name }) => name),
    custom: false,
    seeds,
    vocabulary,
  }
}

function pathOf({ group, version, scope, plural }: NativeResource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return scope === 'Namespaced' ? `${root}/namespaces/{ns}/${plural}` : `${root}/${plural}`
}

function changed(base: Tree, changes: Changes = {}): TreeObject {
  const copy = copyTree(base) as TreeObject
  for (const [pointer, value] of Object.entries(changes)) {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    let target: any = copy
    for (const key of keys.slice(0, -1)) target = target[key] ??= {}
    const last = keys.at(-1) ?? ''
    if (Array.isArray(target) && last === '-') target.push(value)
    else if (value === null) delete target[last]
    else setAt(copy, keys, value)
  }
  return copy
}

function collect(changes: Changes | undefined, into: Map<string, Tree[]>): void {
  for (const [pointer, value] of Object.entries(changes ?? {})) {
    const name = pointer.split('/').findLast((key) => !/^(\d+|-)$/.test(key)) ?? ''
    remember(name.replaceAll('~1', '/').replaceAll('~0', '~'), value, into)
  }
}

function remember(name: string, value: Tree, into: Map<string, Tree[]>): void {
  const known = into.get(name) ?? []
  into.set(name, known)
  known.push(value)
  if (Array.isArray(value)) for (const item of value) remember(name, item, into)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) remember(key, child, into)
  }
}
