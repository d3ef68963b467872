import { describe, expect, expectTypeOf, test } from 'vitest'
import { schema as s } from '../schema/schema-builder.ts'
import { customResourceDefinition, type CustomResourceDefinitionManifest } from './crd.ts'
import { defineKind } from './define-kind.ts'
import type { ApplyOf, CreateOf } from './kind.ts'
import { nativeKind } from './native-kind.ts'
import type { CustomResourceDefinition } from '../native/index.ts'

const base = { group: 'example.com', kind: 'Thing', spec: s.object({ size: s.integer().default(1) }) }

describe('The definition of a kind', () => {
  test('holds its names, its scope, and one version that is served and stored', () => {
    const At = defineKind({
      group: 'cnat.programming-kubernetes.info',
      version: 'v1alpha1',
      kind: 'At',
      description: 'A command to run at a time.',
      spec: s.object({ schedule: s.string(), command: s.string() }),
      status: s.object({ phase: s.enum('PENDING', 'RUNNING', 'DONE').optional() }),
      columns: [{ name: 'Phase', type: 'string', path: '.status.phase', priority: 1 }],
    })
    expect(customResourceDefinition(At)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'ats.cnat.programming-kubernetes.info' },
      spec: {
        group: 'cnat.programming-kubernetes.info',
        names: { kind: 'At', listKind: 'AtList', plural: 'ats', singular: 'at' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1alpha1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                description: 'A command to run at a time.',
                type: 'object',
                required: ['spec'],
                properties: {
                  apiVersion: { type: 'string' },
                  kind: { type: 'string' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    required: ['schedule', 'command'],
                    properties: { schedule: { type: 'string' }, command: { type: 'string' } },
                  },
                  status: {
                    type: 'object',
                    properties: { phase: { type: 'string', enum: ['PENDING', 'RUNNING', 'DONE'] } },
                  },
                },
              },
            },
            subresources: { status: {} },
            additionalPrinterColumns: [
              { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
            ],
          },
        ],
      },
    })
  })

  test('is plain JSON', () => {
    const crd = customResourceDefinition(defineKind({ ...base, version: 'v1' }))
    expect(JSON.parse(JSON.stringify(crd))).toEqual(crd)
  })

  test('can be created and applied as a native kind', () => {
    expectTypeOf<CustomResourceDefinitionManifest>().toExtend<CreateOf<typeof CustomResourceDefinition>>()
    expectTypeOf<CustomResourceDefinitionManifest>().toExtend<ApplyOf<typeof CustomResourceDefinition>>()
  })

  test('leaves out parts that the kind does not have', () => {
    const { spec } = customResourceDefinition(defineKind({ ...base, version: 'v1' }))
    expect(spec.versions[0]).not.toHaveProperty('subresources')
    expect(spec.versions[0]).not.toHaveProperty('additionalPrinterColumns')
    expect(spec.names).not.toHaveProperty('shortNames')
    expect(spec.names).not.toHaveProperty('categories')
  })

  test('holds short names, categories, a cluster scope and scale', () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
    const { spec } = customResourceDefinition(
      defineKind({
        ...base,
        version: 'v1',
        scope: 'Cluster',
        status: s.object({ size: s.integer().optional() }),
        shortNames: ['th'],
        categories: ['all'],
        scale,
      }),
    )
    expect(spec.scope).toBe('Cluster')
    expect(spec.names).toMatchObject({ shortNames: ['th'], categories: ['all'] })
    expect(spec.versions[0]?.subresources).toEqual({ status: {}, scale })
  })

  test('in several versions stores the one given last', () => {
    const v1 = defineKind({ ...base, version: 'v1' })
    const v2 = defineKind({ ...base, version: 'v2', spec: s.object({ length: s.integer() }) })
    const { versions } = customResourceDefinition([v1, v2]).spec
    expect(versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1', true, false],
      ['v2', true, true],
    ])
    expect(versions[1]?.schema.openAPIV3Schema).toBe(v2.schema)
  })
})

describe('The definition of several versions', () => {
  const v1 = defineKind({
    ...base,
    version: 'v1',
    deprecated: 'example.com/v1 Thing goes away: use v2',
    selectableFields: ['.spec.size'],
  })
  const v2 = defineKind({ ...base, version: 'v2' })
  const service = { name: 'convert', namespace: 'things-system', path: '/convert', port: 9443 }

  test('stores the one that is named', () => {
    const { versions } = customResourceDefinition([v1, v2], { stored: 'v1' }).spec
    expect(versions.map(({ storage }) => storage)).toEqual([true, false])
    expect(() => customResourceDefinition([v1, v2], { stored: 'v3' })).toThrow(/no version v3.*v1, v2/)
  })

  test('says which are deprecated, which are not served, and which fields can be selected', () => {
    const old = defineKind({ ...base, version: 'v1alpha1', served: false, deprecated: true })
    const { versions } = customResourceDefinition([old, v1, v2]).spec
    expect(versions[0]).toMatchObject({ served: false, deprecated: true })
    expect(versions[0]).not.toHaveProperty('deprecationWarning')
    expect(versions[1]).toMatchObject({
      served: true,
      deprecated: true,
      deprecationWarning: 'example.com/v1 Thing goes away: use v2',
      selectableFields: [{ jsonPath: '.spec.size' }],
    })
    expect(versions[2]).not.toHaveProperty('deprecated')
  })

  test('converts by a webhook where one is given', () => {
    expect(customResourceDefinition([v1, v2]).spec).not.toHaveProperty('conversion')
    expect(customResourceDefinition([v1, v2], { conversion: 'None' }).spec.conversion).toEqual({
      strategy: 'None',
    })
    expect(
      customResourceDefinition([v1, v2], { conversion: { service, caBundle: 'Y2E=' } }).spec.conversion,
    ).toEqual({
      strategy: 'Webhook',
      webhook: { clientConfig: { service, caBundle: 'Y2E=' }, conversionReviewVersions: ['v1'] },
    })
  })

  test('carries labels and annotations', () => {
    const annotations = { 'cert-manager.io/inject-ca-from': 'things-system/serving' }
    expect(customResourceDefinition(v1, { annotations, labels: { a: 'b' } }).metadata).toEqual({
      name: 'things.example.com',
      labels: { a: 'b' },
      annotations,
    })
  })

  test.each([
    [/exactly one/, {}],
    [/exactly one/, { service, url: 'https://example.com' }],
    [/not https/, { url: 'http://example.com' }],
    [/start with a slash/, { service: { ...service, path: 'convert' } }],
    [/must include v1/, { service, reviewVersions: ['v2'] }],
  ])('is refused where its webhook cannot be called: %s', (message, conversion) => {
    expect(() => customResourceDefinition([v1, v2], { conversion })).toThrow(message)
  })
})

describe('A definition is refused', () => {
  const v1 = defineKind({ ...base, version: 'v1' })

  test('without a kind, or of one that is not custom', () => {
    expect(() => customResourceDefinition([])).toThrow(/no kind was given/)
    const pods = nativeKind('', 'v1', 'Pod', 'pods', 'Namespaced')
    expect(() => customResourceDefinition(pods)).toThrow(/Pod .* has no schema/)
  })

  test('with a version twice, or of different kinds', () => {
    expect(() => customResourceDefinition([v1, v1])).toThrow(/version v1 twice/)
    const other = defineKind({ ...base, version: 'v2', kind: 'Other' })
    expect(() => customResourceDefinition([v1, other])).toThrow(/kind 'Thing'.*'Other'/)
    const wide = defineKind({ ...base, version: 'v2', scope: 'Cluster' })
    expect(() => customResourceDefinition([v1, wide])).toThrow(/scope 'Namespaced'.*'Cluster'/)
  })

  test('of a kind in a group that Kubernetes keeps for itself', () => {
    const kind = defineKind({ ...base, version: 'v1', group: 'things.k8s.io' })
    expect(() => customResourceDefinition(kind)).toThrow(/domain of your own/)
    const annotations = { 'api-approved.kubernetes.io': 'https://example.com/approval' }
    expect(customResourceDefinition(kind, { annotations }).spec.group).toBe('things.k8s.io')
  })
})
