import { globSync, readFileSync } from 'node:fs'
import { ValueBytes, type ApiHandler } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { jsonText } from './schema/values/go-text.ts'
import { isObject, objectOf, textOf, type JsonObject } from './schema/values/json.ts'
import { callJson, TestEnvironment } from './testing/index.ts'

/**
 * Plays every conversation that was recorded with a real kube-apiserver on the whole server. Some parts of the server
 * test themselves with the same conversations. `npm run record conversations` asks the real one again.
 */
interface Golden {
  readonly crd?: JsonObject
  readonly steps: readonly Step[]
}

interface Step {
  readonly request: string
  readonly type?: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
}

/** The answers that are known to differ, by file and step, with the reason. One that no longer differs fails. */
const DIFFERENT: Readonly<Record<string, string>> = {}

/** Values that each server chooses, or that only admission plugins add. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  CustomResourceDefinition: ['status', 'metadata.managedFields'],
  Node: ['spec.taints'],
  PersistentVolumeClaim: ['metadata.finalizers'],
  Service: ['spec.clusterIP', 'spec.clusterIPs'],
}

function comparable(body: unknown): unknown {
  if (!isObject(body)) return body
  if (body['kind'] === 'Status') return failure(body)
  const object = structuredClone(body)
  const metadata = objectOf(object['metadata'])
  for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) delete metadata[field]
  for (const path of OWN[textOf(object['kind'])] ?? []) remove(object, path.split('.'))
  const entries = metadata['managedFields'] as JsonObject[] | undefined
  if (entries)
    metadata['managedFields'] = entries.map((entry) => jsonText({ ...entry, time: undefined })).sort()
  return object
}

/** Causes without order and duplicates, and without Go's dumps and diffs of the refused value. */
function failure(status: JsonObject): unknown {
  const details = objectOf(status['details'])
  const causes = (details['causes'] as JsonObject[] | undefined)?.map(({ field, reason, message }) => [
    field,
    reason,
    inWords(textOf(message)),
  ])
  const unique = new Set(causes?.map((cause) => JSON.stringify(cause)))
  const message = unique.size > 1 ? undefined : inWords(textOf(status['message']))
  return {
    code: status['code'],
    reason: status['reason'],
    message,
    kind: details['kind'],
    causes: [...unique].sort(),
  }
}

function inWords(message: string): string {
  return message
    .split('\n@@')[0]!
    .replace(/Invalid value: (?:[[{].*[\]}]|null): (must|field)/, 'Invalid value: …: $1')
}

function remove(object: JsonObject, [first, ...rest]: readonly string[]): void {
  if (first === undefined) return
  if (rest.length === 0) delete object[first]
  else remove(objectOf(object[first]), rest)
}

/** The handler for a caller in this process, which gets the same value as one that parses the answer. */
function checked(handler: ApiHandler): ApiHandler {
  return async (request) => {
    const response = await handler({ ...request, inProcess: true })
    const shared = response.body instanceof Uint8Array ? ValueBytes.valueIn(response.body) : undefined
    if (shared !== undefined) {
      expect(shared).toStrictEqual(JSON.parse(new TextDecoder().decode(response.body as Uint8Array)))
      expect(shared).toSatisfy(Object.isFrozen)
    }
    return response
  }
}

const files = globSync('{schema,native/*,fields}/recorded/*.json', { cwd: import.meta.dirname })

describe('the server answers as a real kube-apiserver does', () => {
  it.each(files.sort())('%s', async (file) => {
    const golden = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Golden
    await using env = await TestEnvironment.start()
    const headers = { 'user-agent': '' }
    const handler = checked(env.handler)
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'golden' } }
    await env.call('POST', '/api/v1/namespaces', { body: space, headers })
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    if (golden.crd) await env.call('POST', definitions, { body: golden.crd, headers })
    for (const [index, step] of golden.steps.entries()) {
      const [method, path] = step.request.replaceAll('{ns}', 'golden').split(' ') as ['GET', string]
      const body: unknown = step.body && JSON.parse(JSON.stringify(step.body).replaceAll('{ns}', 'golden'))
      const type = step.type ?? 'application/json'
      const options = { body, headers: { ...headers, 'content-type': type } }
      const answer = await callJson(handler, method, path, options)
      const name = `${file.slice(file.lastIndexOf('/') + 1, -'.json'.length)} ${index + 1}`
      const request = `${name}: ${step.request} ${JSON.stringify(step.body)}`
      const ours = { request, code: answer.code, body: comparable(answer.body) }
      const expected = { request, code: step.status, body: comparable(step.answer) }
      if (DIFFERENT[name]) expect(ours, `${name} no longer differs`).not.toEqual(expected)
      else expect(ours).toEqual(expected)
    }
  })
})

describe('a status that is written as it was read changes nothing, and a label nothing but the metadata', () => {
  it.each(files.sort())('%s', async (file) => {
    const golden = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Golden
    await using env = await TestEnvironment.start()
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'golden' } }
    await env.call('POST', '/api/v1/namespaces', { body: space })
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    if (golden.crd) await env.call('POST', definitions, { body: golden.crd })
    for (const step of golden.steps) {
      const [method, sent] = step.request.replaceAll('{ns}', 'golden').split(' ') as ['GET', string]
      // Most conversations are dry runs.
      const path = sent.replace(/&?dryRun=All\b/, '')
      const body: unknown = step.body && JSON.parse(JSON.stringify(step.body).replaceAll('{ns}', 'golden'))
      const headers = { 'content-type': step.type ?? 'application/json' }
      const answer = await env.call(method, path, { body, headers })
      if (answer.code > 201 || !isObject(answer.body)) continue
      const { name } = objectOf(answer.body['metadata'])
      const [place] = path.split('?')
      const object = method.startsWith('POST') ? `${place}/${textOf(name)}` : place
      const status = `${object}/status`
      const before = await env.call('GET', status)
      if (before.code !== 200) continue
      const after = await env.call('PUT', status, { body: before.body })
      if (after.code === 200) expect(after.body).toEqual(before.body)
      // A custom object, or one of an older release, may be stored that its present rules refuse.
      else expect([409, 422], JSON.stringify(after.body)).toContain(after.code)
      const label = { metadata: { labels: { patched: 'yes' } } }
      const type = { 'content-type': 'application/merge-patch+json' }
      const patched = await env.call('PATCH', `${object}?dryRun=All`, { body: label, headers: type })
      if (patched.code !== 200 || method.startsWith('DELETE')) continue
      const { metadata: _, ...rest } = objectOf(before.body)
      expect(patched.body).toMatchObject(rest)
      expect(Object.keys(objectOf(patched.body)).sort()).toEqual(Object.keys(objectOf(before.body)).sort())
    }
  })
})
