import { describe, expect, expectTypeOf, test } from 'vitest'
import type { HomeostatError } from '../errors/homeostat-error.ts'
import { schema as s } from '../schema/schema-builder.ts'
import type { Condition } from '../status/conditions.ts'
import { defineKind } from './define-kind.ts'
import type { ApplyOf, CreateOf, KeyOf, MutableOf, NoStatus, ObjectOf, StatusOf } from './kind.ts'

const MarkdownView = defineKind({
  group: 'view.zoetrope.github.io',
  version: 'v1',
  kind: 'MarkdownView',
  spec: s.object({
    markdowns: s.map(s.string()).minProperties(1),
    replicas: s.integer().min(1).default(1),
    viewerImage: s.string().default('peaceiris/mdbook:latest'),
  }),
  status: s.object({ conditions: s.conditions() }),
  columns: [
    { name: 'Replicas', type: 'integer', path: '.spec.replicas' },
    { name: 'Status', type: 'string', path: '.status.conditions[?(@.status=="True")].type' },
  ],
})

const At = defineKind({
  group: 'cnat.programming-kubernetes.info',
  version: 'v1alpha1',
  kind: 'At',
  spec: s.object({ schedule: s.string(), command: s.string() }),
  status: s.object({ phase: s.enum('PENDING', 'RUNNING', 'DONE').optional() }),
})

const Tenant = defineKind({
  group: 'multitenancy.example.com',
  version: 'v1',
  kind: 'Tenant',
  scope: 'Cluster',
  spec: s.object({ namespaces: s.list(s.string()).set() }),
})

const base = { group: 'example.com', version: 'v1', kind: 'Thing', spec: s.object({ size: s.integer() }) }

/** The error that defining a kind with these options throws. */
function refusal(options: object): { code: string; message: string } {
  try {
    defineKind({ ...base, ...options })
  } catch (error) {
    return error as HomeostatError
  }
  throw new Error('it was not refused')
}

describe('A kind', () => {
  test('fills in its names, and is namespaced unless told otherwise', () => {
    expect(MarkdownView).toMatchObject({
      plural: 'markdownviews',
      singular: 'markdownview',
      listKind: 'MarkdownViewList',
      scope: 'Namespaced',
      shortNames: [],
      categories: [],
    })
    expect(At.plural).toBe('ats')
    expect(Tenant.scope).toBe('Cluster')
  })

  test('uses the given names', () => {
    const kind = defineKind({
      ...base,
      plural: 'stuff',
      singular: 'piece',
      listKind: 'Stuff',
      shortNames: ['st'],
    })
    expect(kind).toMatchObject({ plural: 'stuff', singular: 'piece', listKind: 'Stuff', shortNames: ['st'] })
  })

  test('has a status subresource exactly where it has a status', () => {
    expect(At.subresources.status).toBe(true)
    expect(Tenant.subresources.status).toBe(false)
    expect(Tenant.schema?.properties).not.toHaveProperty('status')
  })

  test('has the schema of the whole object, which requires the spec', () => {
    expect(At.schema).toEqual({
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
    })
  })

  test('can have rules over the whole object', () => {
    const rules = [{ rule: "self.metadata.name == 'cluster'", message: 'there is one, named cluster' }]
    expect(defineKind({ ...base, rules }).schema).toMatchObject({ 'x-kubernetes-validations': rules })
    expect(defineKind({ ...base, rules: [] }).schema).not.toHaveProperty('x-kubernetes-validations')
  })

  test('does not require a spec that is optional or has a default', () => {
    const size = s.object({ size: s.integer().default(1) })
    expect(defineKind({ ...base, spec: size.default({}) }).schema).not.toHaveProperty('required')
    expect(defineKind({ ...base, spec: size.optional() }).schema).not.toHaveProperty('required')
  })
})

describe('A kind that a server would refuse is refused with the reason and a remedy:', () => {
  test.each([
    ["group 'example' is not a domain with a dot", { group: 'example' }],
    ["group 'Example.com'", { group: 'Example.com' }],
    ["version '1' is not a name", { version: '1' }],
    ["version 'v1.0' is not a name", { version: 'v1.0' }],
    ["kind 'My Thing' is not a name", { kind: 'My Thing' }],
    ["plural 'Things' is not a name: use lower case", { plural: 'Things' }],
    ['singular', { singular: '' }],
    ["shortNames[1] 'T'", { shortNames: ['t', 'T'] }],
    ["categories[0] 'a_b'", { categories: ['a_b'] }],
    ['listKind must differ from kind', { listKind: 'Thing' }],
    ['longer than 253', { group: `${'a'.repeat(250)}.com` }],
    ["scope 'Namespace' is unknown", { scope: 'Namespace' }],
    [
      "columns[0].path 'spec.size' is not a path: start with a dot",
      { columns: [{ name: 'A', type: 'integer', path: 'spec.size' }] },
    ],
    [
      "columns[0].path '.spec.sise': the schema has no key 'sise' in '.spec': its keys are size",
      { columns: [{ name: 'A', type: 'integer', path: '.spec.sise' }] },
    ],
    ["the schema has no key 'status'", { columns: [{ name: 'A', type: 'integer', path: '.status.x' }] }],
    ["'.spec[0' is not a path", { columns: [{ name: 'A', type: 'integer', path: '.spec[0' }] }],
    ["has the type 'int'", { columns: [{ name: 'A', type: 'int', path: '.spec.size' }] }],
    [
      "has the format 'long'",
      { columns: [{ name: 'A', type: 'integer', path: '.spec.size', format: 'long' }] },
    ],
    ['columns[0] has no name', { columns: [{ name: '', type: 'integer', path: '.spec.size' }] }],
    [
      "scale.specReplicasPath '.size' must be a path under .spec.",
      { scale: { specReplicasPath: '.size', statusReplicasPath: '.status.size' } },
    ],
    [
      "scale.statusReplicasPath '.status.size': the schema has no key 'status'",
      { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
    ],
    [
      'spec.size: the default does not fit: spec.size is 0, less than 1',
      { spec: s.object({ size: s.integer().min(1).default(0) }) },
    ],
    ["selectableFields[0] '.spec.sise': the schema has no key 'sise'", { selectableFields: ['.spec.sise'] }],
    ["selectableFields[0] '.metadata.name' is in the metadata", { selectableFields: ['.metadata.name'] }],
    ["selectableFields[0] '.spec' is not a string", { selectableFields: ['.spec'] }],
    ["selectableFields[1] '.spec.size' is listed twice", { selectableFields: ['.spec.size', '.spec.size'] }],
    ['must be one line of 1 to 256 printable characters', { deprecated: 'two\nlines' }],
    ['the object: a rule() is empty', { rules: [{ rule: '' }] }],
    ['status.a: nothing fits', { status: s.object({ a: s.integer().min(1).max(0) }) }],
  ])('%s', (problem, options) => {
    expect(refusal(options)).toMatchObject({
      code: 'KIND_INVALID',
      message: expect.stringContaining(problem) as string,
    })
  })

  test('all problems, in one message that names the kind', () => {
    expect(refusal({ group: 'x', version: '1' }).message.split('\n')).toEqual([
      'the kind Thing (x/1) cannot be defined:',
      expect.stringMatching(/^- group 'x'/),
      expect.stringMatching(/^- version '1'/),
    ])
  })

  test('but not a path into metadata, into what is preserved, or behind a bracket', () => {
    expect(() =>
      defineKind({
        ...base,
        spec: s.object({ open: s.object({}).preserveUnknown(), list: s.list(s.string()) }),
        columns: [
          { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
          { name: 'Open', type: 'string', path: '.spec.open.anything' },
          { name: 'First', type: 'string', path: '.spec.list[0]' },
          { name: 'Label', type: 'string', path: ".metadata.labels['a]b']" },
        ],
      }),
    ).not.toThrow()
  })
})

describe('The types of a kind', () => {
  test('read: defaults are there, status may be absent, the namespace is known', () => {
    type View = MutableOf<typeof MarkdownView>
    expectTypeOf<View['spec']>().toEqualTypeOf<{
      markdowns: Record<string, string>
      replicas: number
      viewerImage: string
    }>()
    expectTypeOf<View['status']>().toEqualTypeOf<{ conditions: Condition[] } | undefined>()
    expectTypeOf<View['metadata']['namespace']>().toEqualTypeOf<string>()
    expectTypeOf<View['metadata']['resourceVersion']>().toEqualTypeOf<string>()
    expectTypeOf<MutableOf<typeof Tenant>['metadata']['namespace']>().toEqualTypeOf<undefined>()
    expectTypeOf<MutableOf<typeof Tenant>>().not.toHaveProperty('status')
  })

  test('read: it cannot be changed, but a copy can', () => {
    const change = (view: ObjectOf<typeof MarkdownView>): void => {
      // @ts-expect-error read-only
      view.spec.replicas = 2
      // @ts-expect-error read-only, at any depth
      view.status?.conditions.push()
    }
    const changeCopy = (view: MutableOf<typeof MarkdownView>): void => {
      view.spec.replicas = 2
      view.status?.conditions.pop()
    }
    expectTypeOf(change).toBeFunction()
    expectTypeOf(changeCopy).toBeFunction()
  })

  test('create: defaults may be left out, a name and a namespace may not', () => {
    const create = (view: CreateOf<typeof MarkdownView>): unknown => view
    const spec = { markdowns: { 'SUMMARY.md': '# Hello' } }
    create({ metadata: { name: 'a', namespace: 'b' }, spec })
    create({ metadata: { generateName: 'a-', namespace: 'b' }, spec: { ...spec, replicas: undefined } })
    // @ts-expect-error no namespace
    create({ metadata: { name: 'a' }, spec })
    // @ts-expect-error no name
    create({ metadata: { namespace: 'b' }, spec })
    // @ts-expect-error no spec
    create({ metadata: { name: 'a', namespace: 'b' } })
    // @ts-expect-error a required key is missing
    create({ metadata: { name: 'a', namespace: 'b' }, spec: {} })
    // @ts-expect-error no such key
    create({ metadata: { name: 'a', namespace: 'b' }, spec: { ...spec, replica: 1 } })
    // @ts-expect-error the status is not for create
    create({ metadata: { name: 'a', namespace: 'b' }, spec, status: {} })
    expectTypeOf(create).parameter(0).not.toBeAny()
  })

  test('create: what was read can be given again, though it is read-only', () => {
    const again = (tenant: ObjectOf<typeof Tenant>): CreateOf<typeof Tenant> => ({
      metadata: { name: 'b', finalizers: tenant.metadata.finalizers },
      spec: tenant.spec,
    })
    expectTypeOf(again).toBeFunction()
    expectTypeOf<MutableOf<typeof Tenant>>().toExtend<CreateOf<typeof Tenant>>()
    expectTypeOf<MutableOf<typeof MarkdownView>>().toExtend<CreateOf<typeof MarkdownView>>()
  })

  test('apply: any part of the spec, and nothing that the server owns', () => {
    const apply = (view: ApplyOf<typeof MarkdownView>): unknown => view
    const metadata = { name: 'a', namespace: 'b' }
    apply({ metadata })
    apply({ metadata: { ...metadata, labels: { a: 'b' } }, spec: { replicas: 2 } })
    // @ts-expect-error no namespace
    apply({ metadata: { name: 'a' } })
    // @ts-expect-error the status has its own apply
    apply({ metadata, status: { conditions: [] } })
    // @ts-expect-error no resourceVersion
    apply({ metadata: { ...metadata, resourceVersion: '1' } })
    // @ts-expect-error no managedFields
    apply({ metadata: { ...metadata, managedFields: [] } })
    // @ts-expect-error not a number
    apply({ metadata, spec: { replicas: '2' } })
    expectTypeOf(apply).parameter(0).not.toBeAny()
  })

  test('status: any part of it as written; none where the kind has none', () => {
    expectTypeOf<StatusOf<typeof At>>().toEqualTypeOf<
      { phase?: 'PENDING' | 'RUNNING' | 'DONE' | undefined } & object
    >()
    const status = (view: StatusOf<typeof MarkdownView>): unknown => view
    status({})
    status({ conditions: [{ type: 'Available', status: 'True' }] })
    // @ts-expect-error not a status of a condition
    status({ conditions: [{ type: 'Available', status: 'Yes' }] })
    expectTypeOf<StatusOf<typeof Tenant>>().toEqualTypeOf<NoStatus>()
  })

  test('key: a namespace exactly where the kind is namespaced', () => {
    const key = (view: KeyOf<typeof MarkdownView>): unknown => view
    key({ name: 'a', namespace: 'b' })
    // @ts-expect-error no namespace
    key({ name: 'a' })
    const clusterKey = (tenant: KeyOf<typeof Tenant>): unknown => tenant
    clusterKey({ name: 'a' })
    // @ts-expect-error a cluster-scoped object has no namespace
    clusterKey({ name: 'a', namespace: 'b' })
    expectTypeOf<KeyOf<typeof At>>().toEqualTypeOf<{ readonly name: string; readonly namespace: string }>()
  })

  test('refuse a spec that is not an object, and an unknown scope', () => {
    // @ts-expect-error not an object
    defineKind({ ...base, spec: s.string() })
    expect(() =>
      // @ts-expect-error not a scope
      defineKind({ ...base, scope: 'Everywhere' }),
    ).toThrow(/unknown/)
  })
})
