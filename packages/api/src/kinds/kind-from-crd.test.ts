import { describe, expect, expectTypeOf, test } from 'vitest'
import { schema as s } from '../schema/schema-builder.ts'
import { customResourceDefinition, type CustomResourceDefinitionManifest } from './crd.ts'
import { defineKind } from './define-kind.ts'
import {
  kindFromCustomResourceDefinition,
  kindsFromCustomResourceDefinition,
  type CustomResourceDefinitionSource,
} from './kind-from-crd.ts'
import type { CreateOf, ObjectOf } from './kind.ts'
import type { CustomResourceDefinition } from '../native/index.ts'

const spec = s.object({
  size: s.integer().min(1).default(1),
  color: s.enum('red', 'blue').optional(),
  ports: s
    .list(s.object({ name: s.string(), port: s.intOrString() }))
    .mapBy('name')
    .optional(),
})
const names = {
  group: 'example.com',
  kind: 'Thing',
  plural: 'stuff',
  shortNames: ['th'],
  categories: ['all'],
}
const old = defineKind({ ...names, version: 'v1beta1', spec, deprecated: 'use v1', served: false })
const stable = defineKind({
  ...names,
  version: 'v1',
  spec,
  status: s.object({ size: s.integer().optional(), selector: s.string().optional() }),
  columns: [{ name: 'Size', type: 'integer', path: '.spec.size', priority: 1 }],
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  selectableFields: ['.spec.color'],
})
const definition = customResourceDefinition([stable, old], { stored: 'v1' })
const thing: CustomResourceDefinitionSource = definition

describe('The kind of a definition', () => {
  test('is the one that the definition came from, in the version that a server prefers', () => {
    expect(kindFromCustomResourceDefinition(definition)).toEqual(stable)
    expect(kindFromCustomResourceDefinition(definition, 'v1beta1')).toEqual(old)
  })

  test('is there for each version, the stored one last, and gives the definition again', () => {
    const kinds = kindsFromCustomResourceDefinition(definition)
    expect(kinds.map(({ version }) => version)).toEqual(['v1beta1', 'v1'])
    const again = customResourceDefinition(kinds).spec
    expect({ ...again, versions: again.versions.toReversed() }).toEqual(definition.spec)
  })

  test('fills in names that the definition leaves to the server', () => {
    const { kind, plural } = thing.spec.names
    const bare = { ...thing, spec: { ...thing.spec, names: { kind, plural } } }
    expect(kindFromCustomResourceDefinition(bare)).toMatchObject({ singular: 'thing', listKind: 'ThingList' })
  })

  test('shares nothing with the definition', () => {
    const copy = structuredClone(definition)
    const kind = kindFromCustomResourceDefinition(copy)
    Object.assign(copy.spec.versions[0]!.schema.openAPIV3Schema, { type: 'string' })
    expect(kind.schema?.type).toBe('object')
  })

  test('accepts definitions from a file, from this package and from a server', () => {
    expectTypeOf<CustomResourceDefinitionManifest>().toExtend<CustomResourceDefinitionSource>()
    expectTypeOf<ObjectOf<typeof CustomResourceDefinition>>().toExtend<CustomResourceDefinitionSource>()
    expectTypeOf<CreateOf<typeof CustomResourceDefinition>>().toExtend<CustomResourceDefinitionSource>()
  })
})

describe('A definition that a server already has is not checked again', () => {
  const broken = structuredClone(definition)
  broken.spec.versions[0]!.schema.openAPIV3Schema = { type: 'object', properties: { spec: {} } }

  test('though from a file it would be refused', () => {
    expect(() => kindFromCustomResourceDefinition(broken)).toThrow(
      /version v1 would be refused.*\n.*\.spec: it has no type/,
    )
    const held = { ...broken, metadata: { name: 'stuff.example.com', resourceVersion: '7' } }
    expect(kindFromCustomResourceDefinition(held).schema?.properties).toEqual({ spec: {} })
  })
})

describe('A definition is refused with the reason:', () => {
  const { versions, ...rest } = thing.spec
  test.each<[RegExp, unknown]>([
    [/has no spec/, undefined],
    [/has no spec/, {}],
    [/it is a Deployment/, { ...thing, kind: 'Deployment' }],
    [
      /it is of apiextensions.k8s.io\/v1beta1: convert/,
      { ...thing, apiVersion: 'apiextensions.k8s.io/v1beta1' },
    ],
    [/spec.group is missing/, { ...thing, spec: { ...thing.spec, group: undefined } }],
    [/spec.names.kind is missing/, { ...thing, spec: { ...thing.spec, names: {} } }],
    [/spec.versions is missing or empty/, { ...thing, spec: rest }],
    [/version v1 has no schema/, { ...thing, spec: { ...rest, versions: [{ ...versions[0], schema: {} }] } }],
    [/scope 'Somewhere' is unknown/, { ...thing, spec: { ...thing.spec, scope: 'Somewhere' } }],
  ])('%s', (message, given) => {
    expect(() => kindFromCustomResourceDefinition(given as CustomResourceDefinitionSource)).toThrow(message)
  })

  test('a version that does not exist', () => {
    expect(() => kindFromCustomResourceDefinition(thing, 'v3')).toThrow(
      /stuff.example.com cannot be made into a kind: it has no version v3: its versions are v1, v1beta1/,
    )
  })
})
