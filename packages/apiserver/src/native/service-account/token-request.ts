import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import type { ServiceAccountTokens } from '../../auth/index.ts'
import {
  acceptedBy,
  admittedOptions,
  type Call,
  checkNameInPath,
  documentAnswer,
  objectBody,
  statusAnswer,
  targetOf,
} from '../../http/index.ts'
import {
  admitSubmission,
  checkNamespace,
  decodeAndDefault,
  Failure,
  prepareSubmitted,
  type Resource,
  type ServerObject,
  specOf,
  storedObject,
  type Submission,
  submittedKind,
  validateSubmission,
  type WriteOptions,
} from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  integerOf,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'

const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
const DEFINITION = 'io.k8s.api.authentication.v1.TokenRequest'
const SECOND = 1000
const SHORTEST = 600
const LONGEST = 2 ** 32
const DEFAULT_LIFETIME = 3600
/**
 * The lifetime that a kubelet requests for a Pod's default token. Such tokens stay valid for a year, but count as
 * stale after this time.
 */
const PROJECTED_LIFETIME = 3607
const YEAR = 365 * 24 * 3600

/** POST of `serviceaccounts/<name>/token`: a token of the ServiceAccount. */
export function tokenRequestAction(tokens: ServiceAccountTokens): (call: Call) => Promise<ApiResponse> {
  return async (call) => {
    const { registry, request } = call
    if (request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
    const accepted = acceptedBy(request, { tables: false })
    const { admission, ...options } = admittedOptions(call, 'CreateOptions')
    const submission = readSubmission(call, options)
    await admitSubmission(admission, submission)
    const body = submission.object
    const spec = (body['spec'] = objectOf(body['spec']))
    const account = findAccount(call, body)
    if (listOf(spec['audiences']).length === 0) spec['audiences'] = [...tokens.audiences]
    const { name, namespace, uid } = account.metadata
    const now = registry.clock.now()
    Object.assign(body.metadata, { name, namespace, uid, creationTimestamp: timestamp(now) })
    body['status'] = { ...NO_TOKEN }
    checkLifetime(integerOf(spec['expirationSeconds']))
    await validateSubmission(admission, submission)
    const bound = boundObjects(call, spec['boundObjectRef'])
    const lifetime = shortened(call, spec, tokens.maxExpirationSeconds)
    const audiences = listOf(spec['audiences']).map(textOf)
    const extended =
      tokens.extendExpiration &&
      bound.pod !== undefined &&
      lifetime === PROJECTED_LIFETIME &&
      audiences.every((one) => tokens.audiences.includes(one))
    const token = await tokens.issue({
      account,
      audiences,
      lifetime: extended ? YEAR : lifetime,
      warnAfter: extended ? lifetime : undefined,
      ...bound,
    })
    body['status'] = { token, expirationTimestamp: timestamp(now + lifetime * SECOND) }
    return documentAnswer(request, accepted, { code: 201, document: body, warnings: call.warnings, now })
  }
}

/** The status of a request before the token is made. */
const NO_TOKEN = { token: '', expirationTimestamp: null } as const

function readSubmission(call: Call, options: WriteOptions): Submission {
  const { registry, resource } = call
  const target = targetOf(call)
  const { object, duplicates } = objectBody(call, TOKEN_REQUEST)
  const { definitions } = resource.schema
  const schema = { root: definitions?.[DEFINITION] ?? {}, definitions }
  const own: Resource = {
    ...resource,
    ...TOKEN_REQUEST,
    schema,
    subresources: { status: false },
    strategy: () => ({}),
  }
  decodeAndDefault(object, own, options, duplicates)
  const spec = (object['spec'] = objectOf(object['spec']))
  spec['expirationSeconds'] ??= DEFAULT_LIFETIME
  checkNamespace(object.metadata, target.namespace)
  prepareSubmitted(object, own, { target, now: registry.clock.now() }, options, 'token')
  object['status'] = { ...NO_TOKEN }
  fillIn(object)
  const typed = submittedKind(own)
  const complete = (changed: ServerObject): void => {
    typed.complete(changed)
    fillIn(changed)
  }
  return { operation: 'CREATE', target, subresource: 'token', kind: { ...typed, complete }, object }
}

function fillIn(request: ServerObject): void {
  const spec = (request['spec'] = objectOf(request['spec']))
  spec['expirationSeconds'] ??= DEFAULT_LIFETIME
  spec['boundObjectRef'] ??= null
}

function findAccount(call: Call, body: ServerObject): ServerObject {
  const target = targetOf(call)
  const { name, namespace, uid } = body.metadata
  if (name && name !== target.name) {
    const detail = 'must match the service account name if specified'
    throw refusal(target.name, [invalidValue('metadata.name', name, detail)])
  }
  if (namespace && namespace !== target.namespace) {
    const why = 'the namespace of the provided object does not match the namespace sent on the request'
    throw new Failure(failure.badRequest(why))
  }
  const account = find(call, 'serviceaccounts', `${target.namespace}/`, target.name)
  if (uid && uid !== account.metadata.uid) {
    const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`
    const { group, kind } = TOKEN_REQUEST
    throw new Failure(failure.conflict({ group, plural: kind }, target.name, why))
  }
  return account
}

/** The object that the token is bound to. Fails where it does not exist or has another uid. */
function boundObjects(
  call: Call,
  reference: unknown,
): { pod?: ServerObject; secret?: ServerObject; node?: Pick<ServerObject, 'metadata'> } {
  if (!isObject(reference)) return {}
  const { kind, apiVersion, name, uid } = reference
  const { namespace, name: account } = targetOf(call)
  const meant = (plural: string, prefix: string): ServerObject => {
    const found = find(call, plural, prefix, textOf(name))
    if (textOf(uid) === '' || uid === found.metadata.uid) return found
    const why = `the UID in the bound object reference (${textOf(uid)}) does not match the UID in record. The object might have been deleted and then recreated`
    throw new Failure(failure.conflict({ group: '', plural: textOf(kind) }, textOf(name), why))
  }
  const core = !textOf(apiVersion).includes('/')
  if (core && kind === 'Secret') return { secret: meant('secrets', `${namespace}/`) }
  if (core && kind === 'Node') return { node: meant('nodes', '') }
  if (!core || kind !== 'Pod') {
    const type = `${core ? '/' : ''}${textOf(apiVersion)}, Kind=${textOf(kind)}`
    throw new Failure(failure.badRequest(`cannot bind token to object of type ${type}`))
  }
  const pod = find(call, 'pods', `${namespace}/`, textOf(name))
  if (specOf(pod)['serviceAccountName'] !== account) {
    const why = `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`
    throw new Failure(failure.badRequest(why))
  }
  const nodeName = textOf(specOf(pod)['nodeName'])
  if (nodeName === '') return { pod: meant('pods', `${namespace}/`) }
  const stored = call.registry.store.get('/nodes', nodeName)
  const node = stored ? storedObject(stored) : { metadata: { name: nodeName } }
  return { pod: meant('pods', `${namespace}/`), node }
}

/** The lifetime of the token, in seconds. Warns where it is shorter than the requested one. */
function shortened(call: Call, spec: JsonObject, longest: number | undefined): number {
  const requested = Number(spec['expirationSeconds'])
  if (longest === undefined || requested <= longest) return requested
  call.warnings.push(`requested expiration of ${requested} seconds shortened to ${longest} seconds`)
  spec['expirationSeconds'] = longest
  return longest
}

function find(call: Call, plural: string, prefix: string, name: string): ServerObject {
  if (name === '') throw new Failure(failure.badRequest('Name parameter required.'))
  checkNameInPath(name)
  const stored = call.registry.store.get(`/${plural}`, `${prefix}${name}`)
  if (!stored) throw new Failure(failure.notFound({ group: '', plural }, name))
  return storedObject(stored)
}

function checkLifetime(seconds: bigint): void {
  const refuse = (detail: string): never => {
    throw refusal('', [invalidValue('spec.expirationSeconds', seconds, detail)])
  }
  if (seconds < SHORTEST) refuse('may not specify a duration less than 10 minutes')
  if (seconds > LONGEST) refuse('may not specify a duration larger than 2^32 seconds')
}

function refusal(name: string, problems: readonly FieldError[]): Failure {
  return new Failure(failure.invalid(TOKEN_REQUEST, name, causesOf(problems)))
}
