import { textOf } from '../review/index.ts'

/** The operation of a request. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** Who sent a request, as the API server authenticated them. */
export interface UserInfo {
  readonly username: string
  readonly uid?: string | undefined
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

/** A type of object by its names. */
export interface AdmittedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** A type of object, by the names in its URL. */
export interface AdmittedResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** The request of an API server to an admission webhook, with the fields of `admission.k8s.io/v1`. */
export interface AdmissionRequest<O = unknown> {
  /** Identifies this request, not the object. */
  readonly uid: string
  /** The kind and version of `object`. */
  readonly kind: AdmittedKind
  readonly resource: AdmittedResource
  /** Such as `status`; empty for the object itself. */
  readonly subResource: string
  /** The kind as the client sent it, if the API server converted the object to a version that the webhook asked for. */
  readonly requestKind?: AdmittedKind | undefined
  readonly requestResource?: AdmittedResource | undefined
  readonly requestSubResource: string
  /** Empty for a create if the server generates the name. */
  readonly name: string
  /** Empty for objects without a namespace. */
  readonly namespace: string
  readonly operation: AdmissionOperation
  readonly userInfo: UserInfo
  /** The object as it would be stored; null for a delete. */
  readonly object: O | null
  /** The object as it is stored; null for a create and a connect. */
  readonly oldObject: O | null
  /** Whether this is a dry run: the server stores nothing, and the webhook must not change anything elsewhere. */
  readonly dryRun: boolean
  /** The options of the request, such as `CreateOptions`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the request of a review. An absent field becomes empty; a field of another type is a problem. */
export function readAdmissionRequest(
  value: unknown,
): { readonly request: AdmissionRequest } | { readonly problem: string } {
  if (value !== undefined && !isFields(value)) return { problem: 'request must be an object' }
  const fields = value ?? {}
  for (const name of TEXTS) {
    if (name in fields && fields[name] !== null && typeof fields[name] !== 'string')
      return { problem: `request.${name} must be a string` }
  }
  for (const name of OBJECTS) {
    if (name in fields && !isFields(fields[name])) return { problem: `request.${name} must be an object` }
  }
  if (typeof (fields['dryRun'] ?? false) !== 'boolean') return { problem: 'request.dryRun must be a boolean' }
  return { request: requestOf(fields) }
}

const TEXTS = ['uid', 'name', 'namespace', 'operation', 'subResource', 'requestSubResource'] as const
const OBJECTS = ['kind', 'resource', 'requestKind', 'requestResource', 'userInfo', 'options'] as const

/** Null counts as absent, as in Go. */
function isFields(value: unknown): value is Fields | null {
  return typeof value === 'object' && !Array.isArray(value)
}

function requestOf(fields: Fields): AdmissionRequest {
  return {
    uid: textOf(fields['uid']),
    kind: kindOf(fields['kind'] ?? {}),
    resource: resourceOf(fields['resource'] ?? {}),
    subResource: textOf(fields['subResource']),
    requestKind: fields['requestKind'] ? kindOf(fields['requestKind']) : undefined,
    requestResource: fields['requestResource'] ? resourceOf(fields['requestResource']) : undefined,
    requestSubResource: textOf(fields['requestSubResource']),
    name: textOf(fields['name']),
    namespace: textOf(fields['namespace']),
    operation: textOf(fields['operation']) as AdmissionOperation,
    userInfo: userInfoOf((fields['userInfo'] ?? {}) as Fields),
    object: fields['object'] ?? null,
    oldObject: fields['oldObject'] ?? null,
    dryRun: fields['dryRun'] === true,
    options: (fields['options'] ?? undefined) as Fields | undefined,
  }
}

function kindOf(value: unknown): AdmittedKind {
  const { group, version, kind } = value as Fields
  return { group: textOf(group), version: textOf(version), kind: textOf(kind) }
}

function resourceOf(value: unknown): AdmittedResource {
  const { group, version, resource } = value as Fields
  return { group: textOf(group), version: textOf(version), resource: textOf(resource) }
}

function userInfoOf(value: Fields): UserInfo {
  return {
    username: textOf(value['username']),
    uid: typeof value['uid'] === 'string' ? value['uid'] : undefined,
    groups: (value['groups'] ?? []) as readonly string[],
    extra: (value['extra'] ?? {}) as UserInfo['extra'],
  }
}
