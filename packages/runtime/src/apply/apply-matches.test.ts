import type { FieldsV1, KubernetesObject, ManagedFieldsEntry } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { applyMatches } from './apply-matches.ts'

const applier = { manager: 'me', apiVersion: 'apps/v1' }

function entry(fieldsV1: FieldsV1, rest: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return {
    manager: 'me',
    operation: 'Apply',
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...rest,
  }
}

function live(content: object, ...managedFields: ManagedFieldsEntry[]): KubernetesObject {
  const { metadata, ...rest } = content as { metadata?: object }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    ...rest,
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T12:00:00Z',
      ...metadata,
      managedFields,
    },
  }
}

function desired(content: object): object {
  const { metadata, ...rest } = content as { metadata?: object }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    ...rest,
  }
}

/** One field `spec.value`, as it is wanted, as it is, and as it is owned. */
function valueMatches(wanted: unknown, is: unknown, owned: FieldsV1, ...others: FieldsV1[]): boolean {
  return applyMatches(
    live(
      { spec: { value: is } },
      entry({ 'f:spec': { 'f:value': owned } }),
      ...others.map((fields) =>
        entry({ 'f:spec': { 'f:value': fields } }, { manager: 'other', operation: 'Update' }),
      ),
    ),
    desired({ spec: { value: wanted } }),
    applier,
  )
}

describe('a whole Deployment', () => {
  const wanted = desired({
    metadata: { labels: { app: 'web' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'nginx',
              ports: [{ name: 'http', containerPort: 3000 }],
              readinessProbe: { httpGet: { path: '/', port: 'http' } },
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          volumes: [
            { name: 'v', configMap: { name: 'a' } },
            { name: 'e', emptyDir: {} },
          ],
        },
      },
    },
  })
  // As a kube-apiserver answers it.
  const is = live(
    {
      metadata: { labels: { app: 'web', team: 'added by another manager' } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            volumes: [
              { name: 'v', configMap: { name: 'a', defaultMode: 420 } },
              { name: 'e', emptyDir: {} },
            ],
            containers: [
              {
                name: 'c',
                image: 'nginx',
                ports: [{ name: 'http', containerPort: 3000, protocol: 'TCP' }],
                resources: {},
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
                readinessProbe: { httpGet: { path: '/', port: 'http', scheme: 'HTTP' }, timeoutSeconds: 1 },
                imagePullPolicy: 'Always',
              },
            ],
            dnsPolicy: 'ClusterFirst',
          },
        },
        revisionHistoryLimit: 10,
      },
      status: { replicas: 1 },
    },
    entry({
      'f:metadata': { 'f:labels': { 'f:app': {} } },
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:template': {
          'f:metadata': { 'f:labels': { 'f:app': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"c"}': {
                '.': {},
                'f:image': {},
                'f:name': {},
                'f:ports': {
                  'k:{"containerPort":3000,"protocol":"TCP"}': {
                    '.': {},
                    'f:containerPort': {},
                    'f:name': {},
                  },
                },
                'f:readinessProbe': { 'f:httpGet': { 'f:path': {}, 'f:port': {} } },
                'f:volumeMounts': { 'k:{"mountPath":"/v"}': { '.': {}, 'f:mountPath': {}, 'f:name': {} } },
              },
            },
            'f:volumes': {
              'k:{"name":"e"}': { '.': {}, 'f:emptyDir': {}, 'f:name': {} },
              'k:{"name":"v"}': { '.': {}, 'f:configMap': { 'f:name': {} }, 'f:name': {} },
            },
          },
        },
      },
    }),
    entry({ 'f:metadata': { 'f:labels': { 'f:team': {} } } }, { manager: 'another', operation: 'Update' }),
    entry(
      { 'f:status': { 'f:replicas': {} } },
      { manager: 'controller', operation: 'Update', subresource: 'status' },
    ),
  )

  it('matches although defaults were filled in and others added a label', () => {
    expect(applyMatches(is, wanted, applier)).toBe(true)
  })

  /** The paths of all leaves of a document. */
  function leaves(value: unknown, path: (string | number)[] = []): (string | number)[][] {
    if (typeof value !== 'object' || value === null) return [path]
    return Object.entries(value).flatMap(([key, child]) =>
      leaves(child, [...path, Array.isArray(value) ? Number(key) : key]),
    )
  }

  function changed(
    document: object,
    path: (string | number)[],
    change: (parent: any, key: string | number) => void,
  ) {
    const copy: any = structuredClone(document)
    const parent = path.slice(0, -1).reduce((value, key) => value[key], copy)
    change(parent, path.at(-1)!)
    return copy as object
  }

  const owned = leaves(wanted).filter(
    (path) => path[0] === 'spec' || (path[0] === 'metadata' && path[1] === 'labels'),
  )

  it.each(owned.map((path) => [path.join('.'), path] as const))(
    'no longer matches when another value of %s is wanted',
    (_, path) => {
      expect(
        applyMatches(
          is,
          changed(wanted, path, (parent, key) => (parent[key] = 'otherwise')),
          applier,
        ),
      ).toBe(false)
    },
  )

  it.each(owned.map((path) => [path.join('.'), path] as const))(
    'no longer matches when %s is no longer wanted',
    (_, path) => {
      const without = changed(wanted, path, (parent, key) =>
        Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key],
      )
      expect(applyMatches(is, without, applier)).toBe(false)
    },
  )

  it.each(owned.map((path) => [path.join('.'), path] as const))(
    'no longer matches when %s was changed on the server',
    (_, path) => {
      // The document lists volumes in another place than the server does, so find by value of the name.
      const drifted = changed(is, path, (parent, key) => (parent[key] = 'drifted'))
      expect(applyMatches(drifted as KubernetesObject, wanted, applier)).toBe(false)
    },
  )

  it('no longer matches when something more is wanted', () => {
    const more = structuredClone(wanted) as { spec: object }
    more.spec = { ...more.spec, paused: true }
    expect(applyMatches(is, more, applier)).toBe(false)
  })
})

describe('the entry', () => {
  const wanted = desired({ spec: { replicas: 1 } })
  const fields = { 'f:spec': { 'f:replicas': {} } }
  const is = (rest: Partial<ManagedFieldsEntry>) => live({ spec: { replicas: 1 } }, entry(fields, rest))

  it('is the one of the same manager, operation, version and subresource', () => {
    expect(applyMatches(is({}), wanted, applier)).toBe(true)
    expect(applyMatches(is({ manager: 'other' }), wanted, applier)).toBe(false)
    expect(applyMatches(is({ operation: 'Update' }), wanted, applier)).toBe(false)
    expect(applyMatches(is({ apiVersion: 'apps/v1beta1' }), wanted, applier)).toBe(false)
    expect(applyMatches(is({ subresource: 'status' }), wanted, applier)).toBe(false)
    expect(applyMatches(is({ subresource: 'status' }), wanted, { ...applier, subresource: 'status' })).toBe(
      true,
    )
  })

  it('is missing where managed fields were stripped: then nothing is known', () => {
    expect(applyMatches(live({ spec: { replicas: 1 } }), wanted, applier)).toBe(false)
  })

  it('never contains the fields that name the object', () => {
    const named = desired({ metadata: { uid: 'u', resourceVersion: '7' }, spec: { replicas: 1 } })
    expect(applyMatches(is({}), named, applier)).toBe(true)
  })

  it('may be empty, for a document that only names the object', () => {
    expect(applyMatches(live({}, entry({})), desired({}), applier)).toBe(true)
  })
})

describe('values', () => {
  it('match when they are the same', () => {
    expect(valueMatches('a', 'a', {})).toBe(true)
    expect(valueMatches(0, 0, {})).toBe(true)
    expect(valueMatches(false, false, {})).toBe(true)
    expect(valueMatches('1', 1, {})).toBe(false)
    expect(valueMatches('1000m', '1', {})).toBe(false)
  })

  it('that are null match what is absent', () => {
    expect(valueMatches(null, undefined, {})).toBe(true)
    expect(valueMatches(null, 'x', {})).toBe(false)
  })

  it('do not match where something else is owned', () => {
    expect(valueMatches('a', 'a', { 'f:x': {} })).toBe(false)
  })

  it('named like what every object inherits are values like others', () => {
    const is = live({ spec: { constructor: 'x' } }, entry({ 'f:spec': { 'f:constructor': {} } }))
    expect(applyMatches(is, desired({ spec: { constructor: 'x' } }), applier)).toBe(true)
    expect(applyMatches(is, desired({ spec: { toString: 'x' } }), applier)).toBe(false)
  })
})

describe('an object with one owner', () => {
  it('matches when all of it is the same', () => {
    expect(valueMatches({ a: 1, b: 2 }, { b: 2, a: 1 }, {})).toBe(true)
    expect(valueMatches({ a: 1 }, { a: 1, b: 2 }, {})).toBe(false)
  })

  it('is not taken for one whose fields are owned one by one, as others show', () => {
    // Our value was empty. The field that is wanted now exists, but another manager owns it.
    expect(valueMatches({ a: 1 }, { a: 1 }, {}, { 'f:a': {} })).toBe(false)
  })
})

describe('an empty value', () => {
  it('matches an empty one', () => {
    expect(valueMatches({}, {}, {})).toBe(true)
    expect(valueMatches([], [], {})).toBe(true)
  })

  it('does not match one that is absent: it may have been applied as null', () => {
    expect(valueMatches({}, undefined, {})).toBe(false)
    expect(valueMatches([], undefined, {})).toBe(false)
  })

  it('matches one that others have filled', () => {
    expect(valueMatches({}, { a: 1 }, {}, { 'f:a': {} })).toBe(true)
  })

  it('does not match one that no other manager fills', () => {
    expect(valueMatches({}, { a: 1 }, {})).toBe(false)
    expect(valueMatches({}, {}, { 'f:a': {} })).toBe(false)
  })
})

describe('a list of keyed elements', () => {
  const owned = {
    'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:x': {} },
    'k:{"name":"b"}': { '.': {}, 'f:name': {}, 'f:x': {} },
  }
  const [a, b] = [
    { name: 'a', x: 1 },
    { name: 'b', x: 2 },
  ]

  it('matches element by element, whatever others have added between', () => {
    expect(valueMatches([a, b], [{ name: 'z' }, { ...a, default: 1 }, { name: 'y' }, b], owned)).toBe(true)
  })

  it('does not match in another order: an apply would change it', () => {
    expect(valueMatches([b, a], [a, b], owned)).toBe(false)
  })

  it('does not match with more, fewer or other elements', () => {
    expect(valueMatches([a], [a, b], owned)).toBe(false)
    expect(valueMatches([a, b, { name: 'c', x: 3 }], [a, b], owned)).toBe(false)
    expect(valueMatches([a, { name: 'c', x: 2 }], [a, b], owned)).toBe(false)
    expect(valueMatches([a, a], [a, b], owned)).toBe(false)
  })

  it('finds an element by the keys that it gives, when only one can be meant', () => {
    const ports = { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } }
    expect(valueMatches([{ port: 80 }], [{ port: 80, protocol: 'TCP' }], ports)).toBe(true)
    const both = { ...ports, 'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } }
    const is = [
      { port: 80, protocol: 'TCP' },
      { port: 80, protocol: 'UDP' },
    ]
    expect(valueMatches([{ port: 80 }, { port: 80, protocol: 'UDP' }], is, both)).toBe(false)
  })
})

describe('a list of values', () => {
  const owned = { 'v:"a"': {}, 'v:"b"': {} }

  it('matches when all are there, among others', () => {
    expect(valueMatches(['a', 'b'], ['x', 'a', 'b'], owned)).toBe(true)
  })

  it('does not match otherwise', () => {
    expect(valueMatches(['b', 'a'], ['a', 'b'], owned)).toBe(false)
    expect(valueMatches(['a'], ['a', 'b'], owned)).toBe(false)
    expect(valueMatches(['a', 'c'], ['a', 'b', 'c'], owned)).toBe(false)
    expect(valueMatches(['a', 'b'], ['a'], owned)).toBe(false)
  })
})

describe('a list with one owner', () => {
  it('matches when all of it is the same', () => {
    expect(valueMatches(['serve', '--port', '80'], ['serve', '--port', '80'], {})).toBe(true)
    expect(valueMatches(['a', 'b'], ['b', 'a'], {})).toBe(false)
    expect(valueMatches(['a'], ['a', 'b'], {})).toBe(false)
  })

  it('is not taken for one whose elements are owned one by one, as others show', () => {
    expect(valueMatches(['a'], ['a'], {}, { 'v:"a"': {} })).toBe(false)
  })
})

it('a field path of an unknown kind does not match, and does not throw', () => {
  expect(valueMatches(['a'], ['a'], { 'i:0': {} })).toBe(false)
  expect(valueMatches(['a'], ['a'], { 'v:{broken': {} })).toBe(false)
  expect(valueMatches([{ name: 'a' }], [{ name: 'a' }], { 'k:{broken': {} })).toBe(false)
})
