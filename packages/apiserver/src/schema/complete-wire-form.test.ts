import { describe, expect, test } from 'vitest'
import {
  copyJson,
  decodeProblem,
  completesWireForm,
  NATIVE_TYPES,
  prune,
  toWireForm,
  type JsonObject,
  type TypeSchema,
} from './index.ts'

const { resources, definitions } = NATIVE_TYPES

function schemaOf(kind: string): TypeSchema {
  const root = definitions[resources.find((one) => one.kind === kind)?.definition ?? '']
  if (!root) throw new Error(`there is no kind ${kind}`)
  return { root, definitions }
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { app: '' }, creationTimestamp: '2026-11-18T18:33:05Z' },
  spec: {
    containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: '1500m', memory: '1Gi' } } }],
    volumes: [{ name: 'a', secret: { secretName: 'a', items: [{ key: 'k', path: 'p', mode: 256 }] } }],
    activeDeadlineSeconds: 60,
  },
  status: {
    conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }],
    containerStatuses: [
      { name: 'a', image: '', imageID: '', ready: false, restartCount: 0, lastState: {}, state: {} },
    ],
  },
}

/** Whether decoding, pruning and the conversion to the form of the wire leave an object as it is. */
function isLeft(schema: TypeSchema, object: JsonObject): boolean {
  const copy = copyJson(object)
  if (decodeProblem(schema, copy, 'Pod') !== undefined || prune(schema, copy).length > 0) return false
  toWireForm(schema, copy)
  return JSON.stringify(copy) === JSON.stringify(object)
}

/** The Pod with another value at a path such as `spec.containers.0.name`; without the field where the value is undefined. */
function podWith(changes: Readonly<Record<string, unknown>>): JsonObject {
  const pod: JsonObject = copyJson(POD)
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    let part = pod
    for (const step of steps) part = part[step] as JsonObject
    if (value === undefined) delete part[last]
    else part[last] = value
  }
  return pod
}

describe('an object', () => {
  const schema = schemaOf('Pod')

  test('that is as Kubernetes writes it is recognised', () => {
    expect(completesWireForm(schema, POD)).toBe(true)
    expect(isLeft(schema, POD)).toBe(true)
  })

  test.each([
    ['an unknown field', podWith({ 'spec.unknown': 1 })],
    ['an unknown field of an item', podWith({ 'spec.containers.0.unknown': 1 })],
    ['a null', podWith({ 'metadata.name': null })],
    ['an empty text that is left out', podWith({ 'spec.nodeName': '' })],
    ['an empty list that is left out', podWith({ 'spec.tolerations': [] })],
    ['a false that is left out', podWith({ 'spec.hostNetwork': false })],
    ['a null in a list', podWith({ 'spec.volumes.1': null })],
    ['a null in a map', podWith({ 'metadata.labels.app': null })],
    ['a number in place of a text', podWith({ 'metadata.labels.app': 1 })],
    ['a fraction in place of a whole number', podWith({ 'spec.activeDeadlineSeconds': 1.5 })],
    ['a number of more than 32 bits', podWith({ 'spec.volumes.0.secret.items.0.mode': 2 ** 32 })],
    ['an object in place of a list', podWith({ 'spec.containers': { a: 1 } })],
    ['a quantity in another form', podWith({ 'spec.containers.0.resources.limits.cpu': '1.5' })],
    ['a number as a quantity', podWith({ 'spec.containers.0.resources.limits.cpu': 1 })],
    ['a time in another zone', podWith({ 'metadata.creationTimestamp': '2026-01-01T00:00:00+01:00' })],
    ['a time with a fraction', podWith({ 'metadata.creationTimestamp': '2026-01-01T00:00:00.5Z' })],
    ['the zero time', podWith({ 'metadata.creationTimestamp': '0001-01-01T00:00:00Z' })],
    ['a day that does not exist', podWith({ 'metadata.creationTimestamp': '2026-02-30T00:00:00Z' })],
  ])('with %s is not', (_, pod) => {
    expect(completesWireForm(schema, pod)).toBe(false)
    expect(isLeft(schema, pod)).toBe(false)
  })

  test('gets the nulls that it lacks', () => {
    const pod = podWith({ 'spec.containers': undefined, 'status.conditions.0.lastProbeTime': undefined })
    const expected = copyJson(pod)
    toWireForm(schema, expected)
    expect(completesWireForm(schema, pod)).toBe(true)
    expect(JSON.stringify(pod)).toBe(JSON.stringify(expected))
    expect(pod['spec']).toHaveProperty('containers', null)
  })

  test('that is refused gets none', () => {
    const pod = podWith({ 'spec.containers': undefined, 'status.unknown': 1 })
    expect(completesWireForm(schema, pod)).toBe(false)
    expect(pod['spec']).not.toHaveProperty('containers')
  })

  test('whose day not every month has is decoded', () => {
    expect(completesWireForm(schema, podWith({ 'metadata.creationTimestamp': '2026-01-31T00:00:00Z' }))).toBe(
      false,
    )
  })
})

test('bytes are recognised without line breaks', () => {
  const schema = schemaOf('Secret')
  const secret = (text: string): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', data: { a: text } })
  expect(completesWireForm(schema, secret('YQ=='))).toBe(true)
  expect(completesWireForm(schema, secret('YQ=\n='))).toBe(false)
  expect(completesWireForm(schema, secret('?'))).toBe(false)
})

test('a custom object is not recognised', () => {
  const root = { type: 'object', properties: { spec: { type: 'object' } } } as const
  expect(completesWireForm({ root, definitions: {} }, { apiVersion: 'a/v1', kind: 'A', metadata: {} })).toBe(
    false,
  )
})
