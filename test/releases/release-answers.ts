import { createHash } from 'node:crypto'
import type { ApiRequest } from '@homeostat/api'
import type { JsonAnswer, JsonCallOptions } from '../json-call.ts'
import { SAMPLES } from './samples.ts'

/** Sends one request to a server of a release. */
export type Call = (
  method: ApiRequest['method'],
  path: string,
  options?: JsonCallOptions,
) => Promise<JsonAnswer>

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** A server's answers about itself, by topic: its version, discovery in all forms, and the content of its OpenAPI documents. */
export async function descriptions(call: Call): Promise<Record<string, unknown>> {
  const { body: version } = await call('GET', '/version')
  const { body: apis } = await call('GET', '/apis')
  const groups = apis.groups as { name: string; versions: { groupVersion: string }[] }[]
  const paths = [
    '/api/v1',
    ...groups.map(({ name }) => `/apis/${name}`),
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ]
  const documents: Record<string, unknown> = { '/apis': apis }
  for (const path of paths) documents[path] = (await call('GET', path)).body
  return {
    version: { major: version.major, minor: version.minor, keys: Object.keys(version as object) },
    discovery: documents,
    aggregated: {
      core: (await call('GET', '/api', { accept: AGGREGATED })).body,
      others: (await call('GET', '/apis', { accept: AGGREGATED })).body,
    },
    openapi: await openApi(call),
  }
}

/** The hashes of all OpenAPI documents, by address. */
async function openApi(call: Call): Promise<Record<string, string>> {
  const { body } = await call('GET', '/openapi/v3')
  const index = (typeof body === 'string' ? JSON.parse(body) : body) as {
    paths: Record<string, { serverRelativeURL: string }>
  }
  const hashes: Record<string, string> = {}
  for (const [address, { serverRelativeURL }] of Object.entries(index.paths)) {
    const { body: document } = await call('GET', serverRelativeURL)
    // The patch of the version differs.
    const { info: _, ...content } = document
    hashes[address] = createHash('sha256').update(sorted(content)).digest('hex')
  }
  return hashes
}

/** As JSON. The order of keys has no meaning, so that they are sorted. */
function sorted(value: unknown, indent?: number): string {
  const inOrder = (_: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part
  return JSON.stringify(value, inOrder, indent)
}

/** A server's answers to objects with fields that came later, or whose feature is off. */
export async function sampleAnswers(call: Call): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [title, { method = 'POST', path, body, contentType }] of Object.entries(SAMPLES)) {
    const answer = await call(method, path, { body, contentType })
    const { metadata: _, ...rest } = answer.body as { metadata?: unknown }
    const warnings = [...(answer.headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    answers[title] = {
      status: answer.status,
      ...(warnings.length > 0 && { warnings: warnings.map(([, text]) => text) }),
      body: rest,
    }
  }
  return answers
}

/** A value as text, one line for each part of it. */
export function lines(value: unknown): string {
  return `${sorted(value, 1)}\n`
}

/** The file that holds what a real server of a release answered. */
export function recorded(release: string, name: string): string {
  return new URL(`recorded/${release}-${name}.json`, import.meta.url).pathname
}
