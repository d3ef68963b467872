import { defineKind, schema as s } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller/index.ts'
import { conversion } from '../webhook/index.ts'
import { operatorDefinitions } from './operator-kinds.ts'
import { operatorManager } from './operator-manager.ts'
import { isOperator, operator, resolveOperator } from './operator.ts'
import { sample } from './sample.ts'

const note = (version: string) =>
  defineKind({ group: 'example.com', version, kind: 'Note', spec: s.object({ text: s.string() }) })
const Note = note('v1')
const NoteV2 = note('v2')
const idle = () => {}
const notes = controller('notes').for(Note).owns(ConfigMap).reconcile(idle)
const maps = controller('maps').for(ConfigMap).reconcile(idle)
const versions = conversion(NoteV2)
  .version(Note)
  .converts({ toStored: ({ spec }) => ({ spec }), fromStored: ({ spec }) => ({ spec }) })

describe('operator', () => {
  it('knows its kinds by its controllers, and leaves native ones out', () => {
    expect(operator('notes', { controllers: [notes, maps] }).kinds).toEqual([Note])
  })

  it('takes the given kinds instead, none included', () => {
    expect(operator('notes', { controllers: [notes], kinds: [Note, NoteV2] }).kinds).toEqual([Note, NoteV2])
    expect(operator('notes', { controllers: [notes], kinds: [] }).kinds).toEqual([])
  })

  it('adds the versions of its conversions, each once', () => {
    expect(operator('notes', { controllers: [notes], webhooks: [versions] }).kinds).toEqual([Note, NoteV2])
  })

  it('refuses names that no object of Kubernetes can have', () => {
    for (const name of ['', 'Notes', 'my_notes', '-a', 'a.b', 'a'.repeat(57)]) {
      expect(() => operator(name, {}), name).toThrow(expect.objectContaining({ code: 'OPERATOR_INVALID' }))
    }
    expect(operator('a'.repeat(56), {}).name).toHaveLength(56)
  })

  it('refuses two controllers or runnables with the same name', () => {
    const twice = { controllers: [notes], runnables: [{ name: 'notes', run: idle }] }
    expect(() => operator('notes', twice)).toThrow(expect.objectContaining({ code: 'CONTROLLER_NAME_TAKEN' }))
  })

  it('cannot be changed, because several may run it', () => {
    const made = operator('notes', { controllers: [notes] })
    expect(() => Object.assign(made, { name: 'other' })).toThrow(TypeError)
  })
})

describe('operatorDefinitions', () => {
  it('makes one definition of all versions of a kind, which stores the last', () => {
    const definitions = operatorDefinitions(operator('notes', { kinds: [Note, NoteV2] }))
    expect(definitions).toHaveLength(1)
    expect(definitions[0]?.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', false],
      ['v2', true],
    ])
    expect(definitions[0]?.spec.conversion).toBeUndefined()
  })

  it('stores the version that a conversion names, and has the address of the conversion', () => {
    const made = operator('notes', { kinds: [NoteV2, Note], webhooks: [versions] })
    const service = { name: 'webhooks', namespace: 'notes-system' }
    const [definition] = operatorDefinitions(made, { service })
    expect(definition?.spec.versions.find(({ storage }) => storage)?.name).toBe('v2')
    expect(definition?.spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { ...service, path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    })
    const [other] = operatorDefinitions(made, { url: 'https://127.0.0.1:9443/', caBundle: 'AAAA' })
    expect(other?.spec.conversion).toMatchObject({
      webhook: { clientConfig: { url: 'https://127.0.0.1:9443/convert', caBundle: 'AAAA' } },
    })
  })
})

describe('operatorManager', () => {
  it('has the controllers, and the rights of the runnables', () => {
    const manager = operatorManager(
      operator('notes', {
        controllers: [notes],
        runnables: [{ name: 'seed', run: idle, access: [{ kind: ConfigMap, verbs: ['create'] }] }],
      }),
    )
    expect(manager.controllers).toEqual([notes])
    expect(manager.rules()).toContainEqual(
      expect.objectContaining({ resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create'] }),
    )
  })

  it('prefers the given options to those of the operator', () => {
    const made = operator('notes', { manager: { leaderElection: { name: 'notes', namespace: 'a' } } })
    expect(operatorManager(made).rules('leaderElection')).not.toEqual([])
    expect(operatorManager(made, { leaderElection: undefined }).rules('leaderElection')).toEqual([])
  })
})

describe('resolveOperator', () => {
  it('calls a function for each process', async () => {
    let calls = 0
    const source = () => operator(`notes-${++calls}`, {})
    expect((await resolveOperator(source)).name).toBe('notes-1')
    expect((await resolveOperator(async () => source())).name).toBe('notes-2')
  })

  it.each([
    [undefined, 'undefined'],
    [{ controllers: [] }, 'a value of type object'],
    [[], 'an array'],
    [() => 'x', 'a value of type string'],
  ])('refuses %j', async (value, got) => {
    await expect(resolveOperator(value as any)).rejects.toThrow(`expected an operator, but got ${got}`)
    expect(isOperator(value)).toBe(false)
  })
})

it('makes samples that carry the names of their kind', () => {
  expect(sample(Note, { metadata: { namespace: 'default', name: 'a' }, spec: { text: 'hello' } })).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Note',
    metadata: { namespace: 'default', name: 'a' },
    spec: { text: 'hello' },
  })
})
