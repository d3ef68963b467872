import { apiVersionOf } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { describedRequest, type VersionedRequest } from '../matching/index.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../schema/index.ts'

import type { Webhook } from './call/webhook.ts'

const GROUP = 'admission.k8s.io'
/** The versions of AdmissionReview that the server can send. A webhook gets the first one in its list that the server knows. */
const VERSIONS: readonly string[] = ['v1', 'v1beta1']

/** The form in which a webhook sees a request. */
export interface Invocation extends VersionedRequest {
  readonly webhook: Webhook
}

/** The answer of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean
  /** The Status that it gave with a denial. */
  readonly result: unknown
  readonly warnings: readonly string[]
  /** The annotations that it adds to the audit log. */
  readonly auditAnnotations: Readonly<Record<string, string>>
  /** The text of a JSON patch; empty where it changes nothing. */
  readonly patch: string
  readonly patchType: string
}

/** The version of AdmissionReview that a webhook gets; undefined where it accepts none of the server's. */
export function reviewVersion({ reviewVersions }: Webhook): string | undefined {
  return reviewVersions.find((version) => VERSIONS.includes(version))
}

/** The AdmissionReview that a webhook is sent. */
export function reviewOf(
  request: AdmissionRequest,
  invocation: VersionedRequest,
  version: string,
  uid: string,
): JsonObject {
  const { object, oldObject } = invocation
  return {
    kind: 'AdmissionReview',
    apiVersion: apiVersionOf({ group: GROUP, version }),
    request: {
      uid,
      ...describedRequest(request, invocation),
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: request.dryRun,
      options: request.options ?? null,
    },
  }
}

/** Reads a webhook's answer. Throws an Error with kube-apiserver's message for an invalid answer. */
export function readReview(
  value: JsonObject,
  { uid, version, mutating }: { readonly uid: string; readonly version: string; readonly mutating: boolean },
): ReviewResponse {
  const { response } = value
  if (!isObject(response)) throw new Error('webhook response was absent')
  const answered = {
    allowed: response['allowed'] === true,
    result: response['status'],
    warnings: listOf(response['warnings']).map((warning) => textOf(warning)),
    auditAnnotations: texts(response['auditAnnotations']),
  }
  const patch = decoded(textOf(response['patch'] ?? ''))
  const { patchType } = response
  if (version === 'v1beta1') {
    return { ...answered, patch: mutating ? patch : '', patchType: 'JSONPatch' }
  }
  if (response['uid'] !== uid) {
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(textOf(response['uid'] ?? ''))}`,
    )
  }
  const expected = `${GROUP}/v1, Kind=AdmissionReview`
  const given = `${groupVersion(textOf(value['apiVersion'] ?? ''))}, Kind=${textOf(value['kind'] ?? '')}`
  if (given !== expected) throw new Error(`expected webhook response of ${expected}, got ${given}`)
  if (!mutating) {
    if (patch !== '') throw new Error('validating webhook may not return response.patch')
    if (patchType !== undefined && patchType !== null)
      throw new Error('validating webhook may not return response.patchType')
    return { ...answered, patch: '', patchType: '' }
  }
  const hasType = patchType !== undefined && patchType !== null
  if (patch !== '' && !hasType) throw new Error('webhook returned response.patch but not response.patchType')
  if (patch === '' && hasType) throw new Error('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""')
  return { ...answered, patch, patchType: textOf(patchType ?? '') }
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([key, text]) => [key, textOf(text)]))
}

/** As Go prints a group and a version: the core group is empty. */
function groupVersion(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
}

function decoded(base64: string): string {
  if (base64 === '') return ''
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
