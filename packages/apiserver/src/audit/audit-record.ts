import type { Status } from '@homeostat/api'
import { objectOf } from '../schema/index.ts'
import type { Attributes, User } from '../auth/index.ts'
import { includesLevel, withoutManagedFields, type AuditConfig, type AuditStage } from './audit-policy.ts'

/** The facts about a request that are known when it begins. */
export interface AuditedRequest {
  readonly id: string
  /** The path and the query, as they were sent. */
  readonly uri: string
  readonly attributes: Attributes
  /** Undefined where the login failed. */
  readonly user: User | undefined
  readonly sourceIPs: readonly string[]
  readonly userAgent: string
  /** When it came, in milliseconds since 1970. */
  readonly received: number
}

/** The longest user agent that is logged. The rest is cut off. */
const LONGEST_USER_AGENT = 1024

/** Collects what is logged about one request, and writes an event for each of its stages. */
export class AuditRecord {
  readonly config: AuditConfig
  readonly #request: AuditedRequest
  readonly #write: (event: string) => void
  readonly #now: () => number
  readonly #annotations = new Map<string, string[]>()
  readonly #objectRef: Record<string, string> | undefined
  #impersonated: { readonly user: User; readonly constraint: string | undefined } | undefined
  #requestObject: string | undefined
  #responseObject: string | undefined
  #status: object | undefined

  constructor(
    config: AuditConfig,
    request: AuditedRequest,
    now: () => number,
    write: (event: string) => void,
  ) {
    this.config = config
    this.#request = request
    this.#now = now
    this.#write = write
    this.#objectRef = objectRefOf(request.attributes)
  }

  get id(): string {
    return this.#request.id
  }

  /** Whether bodies of requests are logged. */
  get wantsRequest(): boolean {
    return includesLevel(this.config.level, 'Request')
  }

  /** Whether bodies of answers are logged. */
  get wantsResponse(): boolean {
    return includesLevel(this.config.level, 'RequestResponse')
  }

  get hasRequestObject(): boolean {
    return this.#requestObject !== undefined
  }

  /** Adds an annotation. The first value of a key stays. */
  annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, [value])
  }

  /** Adds an annotation whose value is JSON. */
  annotateJson(key: string, value: object): void {
    this.annotate(key, escapedLikeGo(json(value)))
  }

  /** Adds a value to an annotation that may have several values. */
  annotateAlso(key: string, value: string): void {
    const values = this.#annotations.get(key)
    if (!values) this.#annotations.set(key, [value])
    else if (!values.includes(value)) values.push(value)
  }

  impersonate(user: User, constraint: string | undefined): void {
    this.#impersonated = { user, constraint }
  }

  /** Notes the object that the client sent, decoded. Later changes of the object are not logged. */
  sentObject(object: Readonly<Record<string, unknown>>): void {
    const ref = this.#objectRef
    if (ref) {
      const metadata = objectOf(object['metadata'])
      for (const field of ['namespace', 'name', 'uid', 'resourceVersion']) {
        const value = metadata[field]
        if (!ref[field] && typeof value === 'string' && value !== '') ref[field] = value
      }
    }
    if (this.wantsRequest && this.#requestObject === undefined) this.#requestObject = this.#json(object)
  }

  /** Records the client's body, as JSON. */
  sentJson(value: unknown): void {
    if (this.wantsRequest) this.#requestObject = JSON.stringify(value)
  }

  /** The answer: its code, its Status where it is one, and its body as JSON. */
  answer(code: number, status: Status | undefined, body?: unknown): void {
    const { kind: _, apiVersion: __, ...fields } = status ?? { metadata: {}, code }
    this.#status = { ...fields, code }
    if (this.wantsResponse && body !== undefined) this.#responseObject = this.#json(body)
  }

  /** Writes the event of a stage, unless the policy leaves that stage out. */
  stage(stage: AuditStage): void {
    if (this.config.omitStages.has(stage)) return
    const { id, uri, attributes, user, sourceIPs, userAgent, received } = this.#request
    const impersonated = this.#impersonated
    const event = [
      ['kind', '"Event"'],
      ['apiVersion', '"audit.k8s.io/v1"'],
      ['level', json(this.config.level)],
      ['auditID', json(id)],
      ['stage', json(stage)],
      ['requestURI', json(uri)],
      ['verb', json(attributes.verb)],
      ['user', json(userInfo(user))],
      ['impersonatedUser', impersonated && json(userInfo(impersonated.user))],
      [
        'authenticationMetadata',
        impersonated?.constraint && json({ impersonationConstraint: impersonated.constraint }),
      ],
      ['sourceIPs', sourceIPs.length > 0 ? json(sourceIPs) : undefined],
      ['userAgent', userAgent && json(cut(userAgent))],
      ['objectRef', this.#objectRef && json(inOrder(this.#objectRef))],
      ['responseStatus', this.#status && json(this.#status)],
      ['requestObject', this.#requestObject],
      ['responseObject', this.#responseObject],
      ['requestReceivedTimestamp', json(microTime(received))],
      ['stageTimestamp', json(microTime(stage === 'RequestReceived' ? received : this.#now()))],
      ['annotations', this.#annotations.size > 0 ? json(joined(this.#annotations)) : undefined],
    ].flatMap(([name, value]) => (value ? [`"${name}":${value}`] : []))
    this.#write(escapedLikeGo(`{${event.join(',')}}`))
  }

  #json(value: unknown): string {
    return json(this.config.omitManagedFields ? withoutManagedFields(value) : value)
  }
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Escapes the special characters of HTML and two line separators, as Go does in JSON. */
function escapedLikeGo(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function microTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`
}

function cut(userAgent: string): string {
  return userAgent.length > LONGEST_USER_AGENT
    ? `${userAgent.slice(0, LONGEST_USER_AGENT)}...TRUNCATED`
    : userAgent
}

function userInfo(user: User | undefined): object {
  if (!user) return {}
  const { name, uid, groups, extra = {} } = user
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra: sorted(new Map(Object.entries(extra))) }),
  }
}

function joined(annotations: ReadonlyMap<string, readonly string[]>): Record<string, string> {
  return sorted(new Map([...annotations].map(([key, values]) => [key, values.join(', ')])))
}

function sorted<T>(annotations: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...annotations].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function objectRefOf({
  resource,
  subresource,
  namespace,
  name,
}: Attributes): Record<string, string> | undefined {
  if (!resource) return undefined
  return {
    resource: resource.plural,
    namespace: namespace ?? '',
    name: name ?? '',
    apiGroup: resource.group,
    apiVersion: resource.version,
    subresource: subresource ?? '',
  }
}

const REF_FIELDS = [
  'resource',
  'namespace',
  'name',
  'uid',
  'apiGroup',
  'apiVersion',
  'resourceVersion',
  'subresource',
]

function inOrder(ref: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(REF_FIELDS.flatMap((field) => (ref[field] ? [[field, ref[field]]] : [])))
}
