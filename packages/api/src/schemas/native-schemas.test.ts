import { createHash } from 'node:crypto'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { customResourceDefinition } from '../kinds/crd.ts'
import { defineKind } from '../kinds/define-kind.ts'
import type { CoreV1 } from '../native/index.ts'
import type { ApplyOf, ObjectOf } from '../kinds/kind.ts'
import type { NativeType } from '../schema/native-type.ts'
import { schema as s } from '../schema/schema-builder.ts'
import * as schemas from './index.ts'

const { PodTemplateSpec } = schemas

const Thing = defineKind({
  group: 'native.example.com',
  version: 'v1',
  kind: 'Thing',
  spec: s.object({ template: s.native(PodTemplateSpec), replicas: s.integer().default(1) }),
})

describe('a native type in a schema', () => {
  test('gives its TypeScript type', () => {
    expectTypeOf<ObjectOf<typeof Thing>['spec']['template']['spec']>().not.toBeAny()
    const restart = (thing: ObjectOf<typeof Thing>): CoreV1.PodSpec['restartPolicy'] =>
      thing.spec.template.spec?.restartPolicy
    const applied: ApplyOf<typeof Thing> = {
      metadata: { namespace: 'a', name: 'b' },
      // @ts-expect-error not a restart policy
      spec: { template: { spec: { containers: [{ name: 'c' }], restartPolicy: 'never' } } },
    }
    expect([restart, applied]).toHaveLength(2)
  })

  test('can require fields that Kubernetes leaves optional, in the type and in the schema', () => {
    const Scheduled = defineKind({
      group: 'native.example.com',
      version: 'v1',
      kind: 'Scheduled',
      spec: s.object({ job: s.native(schemas.JobTemplateSpec, { required: ['spec'] }) }),
    })
    const image = ({ spec }: ObjectOf<typeof Scheduled>): string | undefined =>
      spec.job.spec.template.spec?.containers[0]?.image
    expect(image).toBeTypeOf('function')
    const [version] = customResourceDefinition(Scheduled).spec.versions
    const job = version!.schema.openAPIV3Schema.properties?.['spec']?.properties?.['job']
    expect(job?.required).toEqual(['spec'])
    expect(schemas.JobTemplateSpec.structural.required).toBeUndefined()
    expect(() => s.native(schemas.JobTemplateSpec, { required: ['sepc' as 'spec'] })).toThrow(
      'native() cannot require "sepc": the type has only the fields metadata, spec',
    )
  })

  test('gives its structural schema in full', () => {
    const [version] = customResourceDefinition(Thing).spec.versions
    const template = version!.schema.openAPIV3Schema.properties?.['spec']?.properties?.['template']
    expect(template).toBe(PodTemplateSpec.structural)
    const spec = template?.properties?.['spec']
    expect(spec?.required).toEqual(['containers'])
    expect(spec?.properties?.['containers']).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    })
    const container = spec?.properties?.['containers']?.items?.properties
    expect(container?.['ports']?.items?.properties?.['protocol']).toEqual({ type: 'string', default: 'TCP' })
    expect(container?.['resources']?.properties?.['limits']?.additionalProperties).toEqual(
      s.quantity().structural,
    )
    expect(template?.properties?.['metadata']?.properties?.['labels']).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
    })
  })

  test('can be optional, described and ruled like any other', () => {
    const schema = s.native(schemas.ResourceRequirements).optional().describe('What it needs.')
    expect(schema.isOptional).toBe(true)
    expect(schema.structural).toEqual({
      ...schemas.ResourceRequirements.structural,
      description: 'What it needs.',
    })
  })

  test.each(Object.entries(schemas) as [string, NativeType<unknown>][])(
    '%s is accepted as part of a kind',
    (_, type) => {
      const spec = s.object({ part: s.native(type) })
      expect(() => defineKind({ group: Thing.group, version: 'v1', kind: 'Thing', spec })).not.toThrow()
    },
  )
})

/**
 * The output of controller-gen 0.21.0 for the same 289 Go types of Kubernetes 1.36.3, with `generateEmbeddedObjectMeta` and
 * without descriptions, keys in alphabetical order.
 */
test('all of them are what controller-gen makes of the Go types', () => {
  const all = Object.entries(schemas).map(([name, { structural }]) => [name, structural])
  const digest = createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(all), inOrder))
    .digest('hex')
  expect(Object.keys(schemas)).toHaveLength(289)
  expect(digest).toBe('e6f1d8c8e31583f642af210dfc1a32ad877db3b6ab3a74f4a092ce195ae1b19a')
})

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
