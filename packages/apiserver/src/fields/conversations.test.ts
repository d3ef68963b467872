import { readdirSync, readFileSync } from 'node:fs'
import { deepFreeze } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../schema/defaults.ts'
import { definitions } from '../schema/generated/native-resources.ts'
import { copyJson, isObject, objectOf, textOf, type JsonObject } from '../schema/values/json.ts'
import { nativeKind } from '../native/kinds.ts'
import { prune } from '../schema/prune.ts'
import type { SchemaNode, TypeSchema } from '../schema/types/type-schema.ts'
import {
  applyFields,
  conflictCauses,
  conflictMessage,
  keepTimes,
  updateFields,
  type FieldsWrite,
} from './index.ts'

interface Golden {
  readonly crd?: JsonObject
  readonly steps: readonly Step[]
}

interface Step {
  readonly request: string
  readonly type?: string
  readonly body: JsonObject
  readonly status: number
  readonly answer: JsonObject & { metadata: JsonObject }
}

/** A minimal server for ownership: one kind, and the objects of one conversation. */
class OneKind {
  readonly #schema: TypeSchema
  readonly #objects = new Map<string, JsonObject>()
  #now = Date.UTC(2024, 0, 1)

  constructor(golden: Golden) {
    const { apiVersion, kind } = golden.steps[0]!.body
    this.#schema = golden.crd
      ? { root: schemaOf(golden.crd), definitions: {} }
      : { root: definitions[NATIVE[`${textOf(apiVersion)}/${textOf(kind)}`]!]!, definitions }
  }

  do(step: Step): { status: number; answer: JsonObject } {
    const [method, url] = step.request.split(' ') as [string, string]
    const { pathname, searchParams } = new URL(url, 'http://server')
    const parts = pathname.split('/')
    const status = parts.at(-1) === 'status'
    const name =
      method === 'POST' ? String(objectOf(step.body['metadata'])['name']) : parts.at(status ? -2 : -1)!
    const live = this.#objects.get(name)
    if (method === 'GET') return { status: 200, answer: live! }
    this.#now += 1_000
    const write: FieldsWrite = {
      schema: this.#schema,
      apiVersion: String(step.body['apiVersion'] ?? live!['apiVersion']),
      manager: searchParams.get('fieldManager') ?? '',
      subresource: status ? 'status' : undefined,
      hasStatus: this.#schema.root.properties?.['status'] !== undefined,
      resetFields: nativeKind(groupOf(live ?? step.body), String((live ?? step.body)['kind']))?.resetFields,
      now: this.#now,
    }
    if (step.type?.startsWith('application/apply')) {
      const force = searchParams.get('force') === 'true'
      const result = applyFields({ ...write, live, applied: step.body, force })
      if ('problem' in result) {
        const which = `/${name}; ${write.apiVersion}, Kind=${textOf(step.body['kind'])}`
        const message = `failed to create typed patch object (${which}): ${result.problem}`
        return { status: 500, answer: { message } }
      }
      if ('conflicts' in result) {
        const { conflicts } = result
        const answer = { message: conflictMessage(conflicts), details: { causes: conflictCauses(conflicts) } }
        return { status: 409, answer }
      }
      this.#takeIn(result.object, live, status, true)
      return this.#store(name, live, result.object)
    }
    const object = copyJson(step.type ? (mergePatch(live, step.body) as JsonObject) : step.body)
    this.#takeIn(object, live, status, false)
    updateFields({ ...write, before: live, after: object })
    return this.#store(name, live, object)
  }

  #takeIn(object: JsonObject, live: JsonObject | undefined, status: boolean, applied: boolean): void {
    prune(this.#schema, object)
    applyDefaults(this.#schema, object, { keepNulls: applied })
    nativeKind(groupOf(object), String(object['kind']))?.default?.(object)
    if (status) {
      for (const field of Object.keys(object))
        if (field !== 'metadata' && field !== 'status') delete object[field]
      for (const [field, value] of Object.entries(live!)) {
        if (field !== 'metadata' && field !== 'status') object[field] = copyJson(value)
      }
      if (!groupOf(object).includes('.')) resetMeta(object, live!, ['labels'])
      else resetMeta(object, live!, ['labels', 'annotations'])
    } else if (live?.['status'] === undefined) {
      delete object['status']
    } else {
      object['status'] = copyJson(live['status'])
    }
    if (!live) applyDefaults(this.#schema, object, { keepNulls: applied })
  }

  #store(
    name: string,
    live: JsonObject | undefined,
    object: JsonObject,
  ): { status: number; answer: JsonObject } {
    if (object['kind'] === 'Service') {
      const allocated = { clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
      object['spec'] = { ...allocated, ...objectOf(object['spec']) }
    }
    if (live) keepTimes(live, object)
    this.#objects.set(name, deepFreeze(object))
    return { status: live ? 200 : 201, answer: object }
  }
}

const NATIVE: Readonly<Record<string, string>> = {
  'apps/v1/Deployment': 'io.k8s.api.apps.v1.Deployment',
  'v1/Service': 'io.k8s.api.core.v1.Service',
  'v1/ConfigMap': 'io.k8s.api.core.v1.ConfigMap',
}

function groupOf(object: JsonObject): string {
  const apiVersion = String(object['apiVersion'])
  return apiVersion.includes('/') ? apiVersion.split('/')[0]! : ''
}

function resetMeta(object: JsonObject, live: JsonObject, fields: readonly string[]): void {
  const now = objectOf(object['metadata'])
  for (const field of fields) {
    const old = objectOf(live['metadata'])[field]
    if (old === undefined) delete now[field]
    else now[field] = copyJson(old)
  }
}

function schemaOf(crd: JsonObject): SchemaNode {
  const { versions } = crd['spec'] as { versions: { schema: { openAPIV3Schema: SchemaNode } }[] }
  return versions[0]!.schema.openAPIV3Schema
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}

/** The compared part of an answer: of times, only their presence. */
function comparable(answer: JsonObject): unknown {
  const { apiVersion: _, kind: _kind, metadata, ...rest } = answer
  const { labels, annotations, finalizers, ownerReferences, managedFields } = objectOf(metadata)
  const entries = (managedFields as JsonObject[] | undefined)?.map(({ time, ...entry }) => ({
    ...entry,
    timed: time !== undefined,
  }))
  return JSON.parse(JSON.stringify({ ...rest, labels, annotations, finalizers, ownerReferences, entries }))
}

/** Entries that differ only in time have an order that depends on the speed of the machine. */
function unordered(value: unknown): unknown {
  const { entries, ...rest } = objectOf(value)
  const list = (entries as JsonObject[] | undefined)?.map((entry) => JSON.stringify(entry, sortedKeys)).sort()
  return { ...rest, entries: list }
}

function sortedKeys(_: string, value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
}

/** The content of an answer: the reason of a failure, or the object. */
function outcome(status: number, answer: JsonObject): object {
  if (status < 400) return { object: unordered(comparable(answer)) }
  return { message: answer['message'], causes: objectOf(answer['details'])['causes'] }
}

/** The rules of SPEC.md that a conversation is about. */
const RULES: Readonly<Record<string, string>> = {
  'apply.json': 'F1 F2 F15 F20',
  'apply-empty-maps.json': 'F8',
  'apply-fewer.json': 'F15 F16',
  'atomic.json': 'F4 F5 F18',
  'clear-managers.json': 'F14 F22',
  'co-owned.json': 'F16 F17 F20',
  'conflict.json': 'F17 F18 F28',
  'conflict-with-updater.json': 'F10 F17 F28',
  'create-by-update.json': 'F7 F8 F11 F25',
  'duplicates.json': 'F21',
  'edit-managers.json': 'F14',
  'html-keys.json': 'F1',
  'last-applied.json': 'F23',
  'list-map.json': 'F5 F16 F17',
  'list-map-default-key.json': 'F6',
  'list-map-order.json': 'F19',
  'manager-entries.json': 'F13',
  'metadata.json': 'F16 F25',
  'native-configmap.json': 'F10 F16',
  'native-deployment-apply.json': 'F6 F12 F17 F18 F28',
  'native-deployment-containers.json': 'F5 F6 F19',
  'native-deployment-create.json': 'F8 F11',
  'native-deployment-status.json': 'F26',
  'native-deployment-unknown.json': 'F21',
  'native-deployment-volumes.json': 'F5 F10',
  'native-service-ports.json': 'F6 F17',
  'no-op.json': 'F12 F20',
  'replaced-kind.json': 'F7 F10',
  'set.json': 'F5 F16 F19',
  'status.json': 'F24 F26',
  'two-appliers.json': 'F16 F17',
  'unknown-fields.json': 'F21',
  'update-takes.json': 'F10 F16',
}

const folder = new URL('recorded/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

describe('ownership is the same as on a real kube-apiserver', () => {
  it.each(files.map((file) => [RULES[file], file] as const))('%s: %s', (_, file) => {
    const golden = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden
    const kind = new OneKind(golden)
    for (const [index, step] of golden.steps.entries()) {
      // Refusals by validation are tested elsewhere.
      if (step.status === 422) break
      const { status, answer } = kind.do(step)
      const where = `step ${index + 1}: ${step.request}`
      expect({ where, status, ...outcome(status, answer) }).toEqual({
        where,
        status: step.status,
        ...outcome(step.status, step.answer),
      })
    }
  })
})
