import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { number, setKey, type Tree, type TreeObject } from '../json-tree.ts'
import { APPLY, create, DEFINITIONS, found, MERGE, patch, store } from './found-case.ts'

const KIND = 'apiextensions.k8s.io/v1 CustomResourceDefinition'
const OPEN = { 'x-kubernetes-preserve-unknown-fields': true }
const RESOURCE = { type: 'object', 'x-kubernetes-embedded-resource': true, ...OPEN }

/** Defaults in the schemas of definitions, and a default that replaces an empty list. */
export function defaults(): FuzzCase[] {
  return [
    found(KIND, 'formats of defaults that their type does not have', ...formats()),
    found(KIND, 'bounds that no default can keep', ...bounds()),
    found(KIND, 'resources in defaults', ...resources()),
    found(KIND, 'defaults inside the metadata of a resource', ...insideMetadata()),
    emptyPolicyTypes(),
    ...inheritedNames(),
  ]
}

/** Keys and texts that are called like what every object inherits. */
function inheritedNames(): FuzzCase[] {
  const names = ['valueOf', '__proto__', 'constructor', 'other']
  const limits = (item: TreeObject): FuzzRequest =>
    create('/api/v1/namespaces/{ns}-limits/limitranges', {
      metadata: { name: 'inherited' },
      spec: { limits: [{ type: 'Container', ...item }] },
    })
  const map = (name: string, value: Tree): TreeObject => {
    const made: TreeObject = {}
    setKey(made, name, value)
    return made
  }
  return [
    found(
      'v1 LimitRange',
      'amounts of resources with names that objects inherit',
      ...names.flatMap((name) =>
        ['default', 'max', 'min', 'defaultRequest'].map((list) => limits({ [list]: map(name, '1') })),
      ),
      limits({ max: { cpu: '2' }, default: map('valueOf', '1') }),
    ),
    found(
      'storage.k8s.io/v1 StorageClass',
      'topologies with names that objects inherit',
      ...names.map((key) =>
        create('/apis/storage.k8s.io/v1/storageclasses', {
          metadata: { name: 'inherited' },
          provisioner: 'a.b/c',
          allowedTopologies: [{ matchLabelExpressions: [{ key, values: ['a'] }] }],
        }),
      ),
    ),
    found(
      'v1 PersistentVolume',
      'an empty capacity',
      ...[{}, null, undefined].map((capacity) =>
        create('/api/v1/persistentvolumes', {
          metadata: { name: 'empty' },
          spec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' }, capacity },
        }),
      ),
    ),
  ]
}

function definition(root: TreeObject): FuzzRequest {
  return create(DEFINITIONS, {
    metadata: { name: 'defaults.fuzz.example.com' },
    spec: {
      group: 'fuzz.example.com',
      names: { plural: 'defaults', kind: 'Default' },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...root } } },
      ],
    },
  })
}

/** A definition with one property. */
function property(schema: TreeObject): FuzzRequest {
  return definition({ properties: { p: schema } })
}

function formats(): FuzzRequest[] {
  const values: Tree[] = ['a', 5, 0.5, true, ['a'], {}]
  const types: TreeObject[] = [
    ...['string', 'integer', 'number', 'boolean'].map((type) => ({ type })),
    { type: 'object', ...OPEN },
    { type: 'array', items: { type: 'string' } },
    { 'x-kubernetes-int-or-string': true },
    OPEN,
  ]
  return [
    ...types.flatMap((type) =>
      ['date', 'int32', 'other'].flatMap((format) =>
        values.map((value) => property({ ...type, format, default: value })),
      ),
    ),
    definition({ format: 'other', default: [null] }),
  ]
}

function bounds(): FuzzRequest[] {
  const lowest = number('-9223372036854775808')
  return [
    property({ type: 'string', maxLength: lowest, default: 'a' }),
    property({ type: 'array', items: { type: 'string' }, maxItems: -1, default: [] }),
    property({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: -1, default: {} }),
    ...[0, -1, 0.5, lowest].flatMap((multipleOf) =>
      ['integer', 'number'].flatMap((type) =>
        [1, 0.5].map((value) => property({ type, multipleOf, default: value })),
      ),
    ),
  ]
}

function resources(): FuzzRequest[] {
  const metadata: Tree[] = [
    null,
    5,
    [],
    { name: 5 },
    { name: 'A/b' },
    { name: '' },
    { labels: { '-': 'a' } },
    { labels: null, foo: 1 },
    { creationTimestamp: 'x' },
    { creationTimestamp: null },
  ]
  const objects: Tree[] = [
    ...metadata.map((one) => ({ apiVersion: 'v1', kind: 'A', metadata: one })),
    {},
    { apiVersion: 5, kind: 'A' },
    { apiVersion: 'a/b/c', kind: '' },
    [],
    'a',
  ]
  return objects.flatMap((one) => [
    property({ ...RESOURCE, default: one }),
    property({ type: 'object', properties: { e: RESOURCE }, default: { e: one } }),
    property({ type: 'array', items: RESOURCE, default: [one] }),
    property({ type: 'object', additionalProperties: RESOURCE, default: { k: one } }),
    definition({ default: one }),
  ])
}

function insideMetadata(): FuzzRequest[] {
  const resource = (properties: TreeObject): FuzzRequest => property({ ...RESOURCE, properties })
  const metadata = (properties: TreeObject): FuzzRequest =>
    resource({ metadata: { type: 'object', properties } })
  const texts = { type: 'object', additionalProperties: { type: 'string' } }
  return [
    ...['a', 'A/b', '', 5].flatMap((value) =>
      ['name', 'namespace', 'foo', 'uid'].map((key) =>
        metadata({ [key]: { type: 'string', default: value } }),
      ),
    ),
    ...[{ a: 'b' }, { '-': 'b' }, { a: 5 }, []].flatMap((value) =>
      ['labels', 'finalizers'].map((key) => metadata({ [key]: { ...texts, default: value } })),
    ),
    ...[{ name: 'a' }, { name: 'A/' }, 5].map((value) =>
      resource({ metadata: { type: 'object', properties: { name: { type: 'string' } }, default: value } }),
    ),
    ...['a', '', 'A-', 'a/b/c'].flatMap((value) =>
      ['apiVersion', 'kind'].map((key) => resource({ [key]: { type: 'string', default: value } })),
    ),
  ]
}

/** An empty list that gets a default does not count as a change. */
function emptyPolicyTypes(): FuzzCase {
  const policies = '/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies'
  const spec = { podSelector: {}, policyTypes: [] }
  return found(
    'networking.k8s.io/v1 NetworkPolicy',
    'an empty list that gets a default',
    store(policies, { metadata: { name: 'typeless' }, spec: { podSelector: {} } }),
    patch(`${policies}/typeless`, MERGE, { spec: { policyTypes: [] } }),
    patch(`${policies}/typeless`, MERGE, { spec: { ...spec, ingress: [] } }),
    {
      method: 'PATCH',
      path: `${policies}/typeless?dryRun=All&fieldManager=applier&force=true`,
      type: APPLY,
      body: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec },
    },
    {
      method: 'PUT',
      path: `${policies}/typeless?dryRun=All`,
      body: { metadata: { name: 'typeless' }, spec },
    },
  )
}
