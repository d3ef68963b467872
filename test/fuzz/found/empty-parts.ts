import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { Tree, TreeObject } from '../json-tree.ts'
import { APPLY, create, DEFINITIONS, found, MERGE, NAMESPACED, store } from './found-case.ts'

/** Lists and maps that are sent empty. They are not stored, but some rules tell them from absent ones. */
export function emptyParts(): FuzzCase[] {
  return [
    frozen('ConfigMap', ['data', 'binaryData']),
    frozen('Secret', ['data']),
    found(
      'networking.k8s.io/v1 Ingress',
      'no rules, and an empty list of them',
      ...[{}, { rules: [] }].map((spec) =>
        create('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', { metadata: { name: 'q' }, spec }),
      ),
    ),
    emptyInList(),
    ...schemas(),
  ]
}

/** Writes of an immutable object that change nothing but what is not stored. */
function frozen(kind: string, fields: readonly string[]): FuzzCase {
  const path = `${NAMESPACED}/${kind.toLowerCase()}s`
  const writes = ['full', 'bare'].flatMap((name): FuzzRequest[] => {
    const metadata = { name: `frozen-${name}` }
    const object: TreeObject = { metadata, immutable: true, ...(name === 'full' && { data: { a: 'YQ==' } }) }
    const put = (body: TreeObject): FuzzRequest => ({
      method: 'PUT',
      path: `${path}/${metadata.name}?dryRun=All`,
      body: { ...body, metadata },
    })
    return [store(path, object), put(object), ...fields.map((field) => put({ ...object, [field]: {} }))]
  })
  return found(`v1 ${kind}`, 'an immutable one is replaced with an empty part', ...writes)
}

/** Updates that give the items of an atomic list an empty part, and so take the list from its owner. */
function emptyInList(): FuzzCase {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'empty' },
  }
  const rule = { verbs: ['get'], nonResourceURLs: ['/a'] }
  const put = (part: TreeObject): FuzzRequest => ({
    method: 'PUT',
    path: `${path}/empty?dryRun=All`,
    body: { ...role, rules: [{ ...rule, ...part }] },
  })
  return found(
    'rbac.authorization.k8s.io/v1 ClusterRole',
    'rules with empty parts, which another manager applied without them',
    {
      method: 'PATCH',
      path: `${path}/empty?fieldManager=one`,
      type: APPLY,
      body: { ...role, rules: [rule] },
    },
    put({}),
    put({ resources: [] }),
    put({ resources: null, apiGroups: [] }),
    {
      method: 'PATCH',
      path: `${path}/empty?dryRun=All`,
      type: MERGE,
      body: { rules: [{ ...rule, resources: [] }] },
    },
    {
      method: 'PATCH',
      path: `${path}/empty?dryRun=All`,
      type: MERGE,
      body: { metadata: { labels: { a: 'b' } } },
    },
  )
}

const EMPTY: Readonly<Record<string, Tree>> = {
  allOf: [],
  anyOf: [],
  description: 'No part is empty here.',
  definitions: {},
  dependencies: {},
  enum: [],
  externalDocs: {},
  oneOf: [],
  patternProperties: {},
  properties: {},
  required: [],
  'x-kubernetes-list-map-keys': [],
  'x-kubernetes-validations': [],
}

/** Values in the place of `items`, or of a schema in `dependencies`. */
const NO_SCHEMAS: readonly Tree[] = ['-1', '', 5, 55, true, [], {}]

/** Definitions whose schemas have empty parts, at the root and below it, or something else in the place of a schema. */
function schemas(): FuzzCase[] {
  const parts: readonly [string, Tree][] = [
    ...Object.entries(EMPTY),
    ...NO_SCHEMAS.flatMap((value): [string, Tree][] => [
      ['items', value],
      ['allOf', [{ items: value }, { items: { properties: { a: { items: value } } } }]],
      ['dependencies', { a: value }],
    ]),
  ]
  const requests = (place: string): FuzzRequest[] =>
    parts.map(([name, value]) => {
      const part = { type: 'object', [name]: value }
      const root = place === 'root' ? part : { type: 'object', properties: { [place]: part } }
      return create(DEFINITIONS, {
        metadata: { name: 'wholes.fuzz.example.com' },
        spec: {
          group: 'fuzz.example.com',
          names: { plural: 'wholes', kind: 'Whole' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: root },
              subresources: { status: {} },
            },
          ],
        },
      })
    })
  return ['root', 'spec', 'metadata'].map((place) =>
    found(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      `a schema with an empty part at ${place}`,
      ...requests(place),
    ),
  )
}
