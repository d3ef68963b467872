import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import type { ServiceAccountTokens } from '../../auth/index.ts'
import { updateFields } from '../../fields/index.ts'
import {
  acceptedBy,
  type Call,
  documentAnswer,
  objectBody,
  statusAnswer,
  targetOf,
  writeOptions,
} from '../../http/index.ts'
import {
  decodeAndDefault,
  Failure,
  fieldsWrite,
  type Resource,
  type ServerObject,
  specOf,
  storedObject,
} from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  integerOf,
  invalidValue,
  isObject,
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
/** What a kubelet asks for on behalf of a Pod that does not care: such tokens live on, but count as stale. */
const PROJECTED_LIFETIME = 3607
const YEAR = 365 * 24 * 3600

/** POST of `serviceaccounts/<name>/token`: a token of the ServiceAccount. */
export function tokenRequestAction(tokens: ServiceAccountTokens): (call: Call) => Promise<ApiResponse> {
  return async (call) => {
    const { registry, request } = call
    if (request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
    const accepted = acceptedBy(request, { tables: false })
    const body = readBody(call)
    const spec = (body['spec'] = objectOf(body['spec']))
    const account = findAccount(call, body)
    if (listOf(spec['audiences']).length === 0) spec['audiences'] = [...tokens.audiences]
    const { name, namespace, uid } = account.metadata
    const now = registry.clock.now()
    Object.assign(body.metadata, { name, namespace, uid, creationTimestamp: timestamp(now) })
    checkLifetime(integerOf(spec['expirationSeconds']))
    const lifetime = Number(spec['expirationSeconds'])
    const bound = boundObjects(call, spec['boundObjectRef'])
    const audiences = listOf(spec['audiences']).map(textOf)
    const extended =
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
    spec['boundObjectRef'] ??= null
    return documentAnswer(request, accepted, { code: 201, document: body, warnings: call.warnings, now })
  }
}

function readBody(call: Call): ServerObject {
  const { registry, request, resource } = call
  const options = writeOptions(request, 'CreateOptions', (message) => void call.warnings.push(message))
  const { object, duplicates } = objectBody(call, TOKEN_REQUEST)
  const { definitions } = resource.schema
  const schema = { root: definitions?.[DEFINITION] ?? {}, definitions }
  const own: Resource = { ...resource, ...TOKEN_REQUEST, schema, subresources: { status: false } }
  decodeAndDefault(object, own, options, duplicates)
  const spec = (object['spec'] = objectOf(object['spec']))
  spec['expirationSeconds'] ??= DEFAULT_LIFETIME
  delete object['status']
  const write = fieldsWrite(own, options.fieldManager, registry.clock.now(), 'token')
  updateFields({ ...write, before: undefined, after: object })
  return object
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

/** What the token ends with. Fails where it is not there, or is another one than was meant. */
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
  const node = call.registry.store.get('/nodes', nodeName)?.value as ServerObject | undefined
  return { pod: meant('pods', `${namespace}/`), node: node ?? { metadata: { name: nodeName } } }
}

function find(call: Call, plural: string, prefix: string, name: string): ServerObject {
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
