import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../defaults.ts'
import { causesOf, type FieldError } from '../field-error.ts'
import { definitions, nativeResources } from '../generated/native-resources.ts'
import { copyJson, isObject, objectOf, textOf, type JsonObject } from '../json.ts'
import { validateObjectMeta, validateObjectMetaUpdate, type NameForm } from '../object-meta.ts'
import { prune } from '../prune.ts'
import type { TypeSchema } from '../type-schema.ts'
import { nativeBehaviour } from './index.ts'

interface Step {
  readonly request: string
  readonly type?: string
  readonly body: JsonObject
  readonly status: number
  readonly answer: JsonObject
}

const folder = new URL('goldens/', import.meta.url)
const NAMES: Readonly<Record<string, NameForm>> = {
  Namespace: 'label',
  Service: 'label',
  Role: 'segment',
  RoleBinding: 'segment',
}

function stepsOf(file: string): Step[] {
  return (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { steps: Step[] }).steps
}

function groupOf(object: JsonObject): string {
  const apiVersion = String(object['apiVersion'])
  return apiVersion.includes('/') ? apiVersion.split('/')[0]! : ''
}

function resourceOf(object: JsonObject): { schema: TypeSchema; namespaced: boolean } {
  const resource = nativeResources.find(
    ({ kind, group }) => kind === object['kind'] && group === groupOf(object),
  )!
  return {
    schema: { root: definitions[resource.definition]!, definitions },
    namespaced: resource.scope === 'Namespaced',
  }
}

/** The object as the server has read it. */
function sent(body: JsonObject): JsonObject {
  const object = JSON.parse(JSON.stringify(body).replaceAll('{ns}', 'golden')) as JsonObject
  const { schema, namespaced } = resourceOf(object)
  if (namespaced) objectOf(object['metadata'])['namespace'] = 'golden'
  prune(schema, object)
  return object
}

/** The object with its defaults. */
function taken(body: JsonObject): JsonObject {
  const object = sent(body)
  const { schema } = resourceOf(object)
  applyDefaults(schema, object)
  nativeBehaviour(groupOf(object), String(object['kind']))?.default?.(object)
  return object
}

function errorsOf(object: JsonObject, old?: JsonObject): FieldError[] {
  const { namespaced } = resourceOf(object)
  const kind = String(object['kind'])
  const behaviour = nativeBehaviour(groupOf(object), kind)
  const { generateName: _, ...metadata } = objectOf(object['metadata'])
  return [
    ...(old
      ? validateObjectMetaUpdate(metadata, old['metadata'])
      : validateObjectMeta(metadata, { namespaced, names: NAMES[kind] ?? 'subdomain', native: true })),
    ...(behaviour?.validate?.(object) ?? []),
    ...(old ? (behaviour?.validateUpdate?.(object, old) ?? []) : []),
  ]
}

/**
 * What the causes are compared by. Left out: the differences that the server appends to the refusal of a change, and whole Go
 * structures that it shows as they are inside.
 */
function comparable(causes: readonly JsonObject[]): string[] {
  const lines = causes.map(({ field, reason, message }) => {
    // Labels that were all taken away are null or empty to the server, by how that was done.
    const text = String(message).split('\n@@')[0]!.replace(': {}: `selector`', ': null: `selector`')
    return `${textOf(field)} ${textOf(reason)} ${text.replace(/Invalid value: \{"(metadata|labels)".*\}: field/, 'Invalid value: …: field')}`
  })
  return [...new Set(lines)].sort()
}

function causes(step: Step): JsonObject[] {
  return (objectOf(step.answer['details'])['causes'] as JsonObject[] | undefined) ?? []
}

/** What others than defaulting fill in: allocation, admission, what happens when an object is stored. */
function withoutOthers(object: JsonObject): JsonObject {
  const { metadata, status: _, ...rest } = copyJson(object)
  const { labels, annotations } = objectOf(metadata)
  const spec = objectOf(rest['spec'])
  const given: Record<string, readonly string[]> = {
    Pod: ['tolerations', 'priority', 'preemptionPolicy'],
    Service: ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
    Namespace: ['finalizers'],
    Node: ['taints'],
  }
  for (const field of given[String(object['kind'])] ?? []) delete spec[field]
  return { ...rest, labels, annotations }
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
const of = (ending: string): string[] => files.filter((file) => file.endsWith(`-${ending}.json`))

describe('native objects get the defaults of a real kube-apiserver', () => {
  it.each(of('defaults'))('%s', (file) => {
    for (const step of stepsOf(file)) {
      const object = taken(step.body)
      expect({ status: 201, errors: errorsOf(object) }).toEqual({ status: step.status, errors: [] })
      expect(withoutOthers(object)).toEqual(withoutOthers(step.answer))
      // A server may also fill in the defaults of the kind first.
      const other = sent(step.body)
      nativeBehaviour(groupOf(other), textOf(other['kind']))?.default?.(other)
      applyDefaults(resourceOf(other).schema, other)
      expect(other).toEqual(object)
      const again = copyJson(object)
      nativeBehaviour(groupOf(again), String(again['kind']))?.default?.(again)
      expect(again).toEqual(object)
    }
  })
})

describe('native objects are refused as a real kube-apiserver does', () => {
  describe.each(of('invalid'))('%s', (file) => {
    it.each(
      stepsOf(file).map((step, index) => [`${index + 1}: ${JSON.stringify(step.body)}`, step] as const),
    )('%s', (_, step) => {
      const errors = errorsOf(taken(step.body))
      expect(comparable(causesOf(errors) as JsonObject[])).toEqual(comparable(causes(step)))
    })
  })
})

describe('changes of native objects are refused as a real kube-apiserver does', () => {
  describe.each(of('update'))('%s', (file) => {
    const [first, ...changes] = stepsOf(file)
    const old = taken(first!.answer)
    delete objectOf(old['metadata'])['managedFields']
    Object.assign(objectOf(old['metadata']), { uid: 'one', creationTimestamp: '2024-01-01T00:00:00Z' })
    it.each(
      changes
        .filter(({ status }) => status !== 400)
        .map((step) => [JSON.stringify(step.body), step] as const),
    )('%s', (_, step) => {
      const object = taken(mergePatch(old, step.body) as JsonObject)
      // The server puts the time of creation back before it looks.
      objectOf(object['metadata'])['creationTimestamp'] = '2024-01-01T00:00:00Z'
      const errors = errorsOf(object, old)
      expect(comparable(causesOf(errors) as JsonObject[])).toEqual(comparable(causes(step)))
    })
  })
})

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? copyJson(target) : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}
