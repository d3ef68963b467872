import { failure, HomeostatError } from '@homeostat/api'
import * as api from '@homeostat/api'
import {
  causesOf,
  decodeProblem,
  invalidValue,
  isObject,
  jsonKind,
  jsonText,
  quote,
  restoreProblem,
} from '../../schema/index.ts'
import type { Written } from './written.ts'
import { Failure } from '../resource/failure.ts'
import { sentResource, takeMade, type Background } from '../state/background.ts'
import { checkName } from '../decode/check-identity.ts'
import { decodeAndDefault, type DecodeOptions } from '../decode/decode-and-default.ts'
import { knownParts, withoutParts } from '../decode/known-parts.ts'
import { patchBody } from '../decode/patch-body.ts'
import { jsonInParts } from '../stored/json-in-parts.ts'
import type { Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import { asServerObject, textOf, type ServerObject } from '../resource/server-object.ts'
import type { PatchType, Target, WriteOptions } from '../request/target.ts'
import { update } from './update.ts'
import { inTurns } from '../../work/index.ts'

/** A parsed patch. */
export interface PatchRequest {
  readonly type: PatchType
  readonly body: unknown
  /** Messages about its duplicate fields. */
  readonly duplicates: readonly string[]
  /** The operations of a JSON patch with the first values of duplicate keys, if there are any. */
  readonly first?: unknown
}

/** The body of a patch. */
export interface SentPatch {
  readonly type: PatchType
  readonly body: Uint8Array
  readonly subresource?: string | undefined
}

/**
 * Changes an object by a patch. It is applied again when another write comes in between. A missing object is reported
 * before a patch that cannot be read.
 */
export function patch(
  registry: Registry,
  target: Target,
  sent: SentPatch,
  options: WriteOptions,
): Promise<Written> {
  const { background } = registry
  let request: PatchRequest | undefined
  return update(
    registry,
    target,
    {
      subresource: sent.subresource,
      createMissing: false,
      change: (current, large) => {
        if (large && background) return patchedInBackground(background, target, sent, current!, options)
        const read = (request ??= readPatch(sent, target.resource))
        refuseFirst(read, current ?? {}, target.resource)
        const finish = (after: unknown): ServerObject => finished(read, current ?? {}, after, target, options)
        const after = appliedInTurns(read, current ?? {}, target.resource)
        return after instanceof Promise ? after.then(finish) : finish(after)
      },
    },
    options,
  )
}

/** The patched object, pruned and with defaults. */
export function patched(
  request: PatchRequest,
  current: object,
  target: Pick<Target, 'resource' | 'name'>,
  options: DecodeOptions,
): ServerObject {
  return finished(request, current, applied(request, current, target.resource), target, options)
}

function readPatch({ type, body }: SentPatch, { custom }: Resource): PatchRequest {
  const { value, ...rest } = patchBody(body, type, !custom)
  return { type, body: value, ...rest }
}

/** Fails where the first value of a duplicate key has the wrong type for a native kind. */
function refuseFirst({ first }: PatchRequest, current: object, { schema, kind }: Resource): void {
  if (first === undefined) return
  let patched: unknown
  try {
    patched = api.applyJsonPatch(current, operationsOf(first))
  } catch {
    return // The patch as a whole fails in the same way.
  }
  const problem = decodeProblem(schema, patched, kind)
  if (problem !== undefined) throw unreadablePatch(JSON.stringify(patched), problem)
}

async function patchedInBackground(
  background: Background,
  { resource, name }: Target,
  { type, body }: SentPatch,
  current: ServerObject,
  options: WriteOptions,
): Promise<ServerObject> {
  const made = await background.run('patch', {
    ...sentResource(resource),
    type,
    body,
    current: await inTurns(jsonInParts(current)),
    name,
    fieldValidation: options.fieldValidation,
  })
  return takeMade(made, options)
}

/** Prunes and defaults the result of a patch, except what a native object had before. */
function finished(
  request: PatchRequest,
  current: object,
  after: unknown,
  { resource, name }: Pick<Target, 'resource' | 'name'>,
  options: DecodeOptions,
): ServerObject {
  const strategic = request.type === 'strategic'
  const known = !resource.custom && isObject(after) ? knownParts(after, { ...current }) : undefined
  if (strategic) refuseUnrestored(after, request, resource, known)
  else if (!resource.custom) refuseWithoutVersion(after, name, options, request.duplicates)
  const object = named(after, resource, request.type)
  // As in Kubernetes, a custom object is a map with sorted keys.
  const text = (): string => (resource.custom ? jsonText(object) : JSON.stringify(object))
  // Only strict validation still reports the unknown fields.
  const whole = !strategic && options.fieldValidation === 'Strict' ? text() : undefined
  const shown = (): string => (strategic ? api.goText(request.body) : (whole ?? text()))
  const refuse = (problem: string): Failure => unreadablePatch(shown(), problem)
  const { fieldValidation, warn } = options
  const unescapedNames = strategic || resource.custom
  const decoding = { fieldValidation, warn, unescapedNames, known }
  const decoded = decodeAndDefault(object, resource, decoding, request.duplicates, refuse)
  checkName(decoded, name)
  return decoded
}

/** The operations in the body of a JSON patch. They are checked where they are applied. */
function operationsOf(body: unknown): readonly api.JsonPatchOperation[] {
  return body as readonly api.JsonPatchOperation[]
}

/** How many items of lists a JSON patch may move in one turn of the event loop: some 25 ms. */
const MOVED_AT_ONCE = 200_000_000

/** Applies the patch to a copy of the object. Fails with the API's Status when it does not fit. */
export function applied(request: PatchRequest, current: object, resource: Resource): unknown {
  return refusing(request, () => {
    if (request.type === 'json') return api.applyJsonPatch(current, operationsOf(request.body))
    if (!isObject(request.body))
      throw new Failure(failure.badRequest('error decoding patch: it is not an object'))
    if (request.type === 'merge') return api.applyMergePatch(current, request.body)
    const { root, definitions } = resource.schema
    const schema = { ...api.patchSchemaOf(root, definitions), typeName: resource.kind }
    return api.applyStrategicMergePatch(current, request.body, schema)
  })
}

/** Does the same; returns a promise where it takes long, since insertions into a long list move all later items. */
function appliedInTurns(request: PatchRequest, current: object, resource: Resource): unknown {
  if (request.type !== 'json') return applied(request, current, resource)
  const steps = api.jsonPatchSteps(current, operationsOf(request.body))
  const turn = (): unknown =>
    refusing(request, () => {
      for (let moved = 0; moved < MOVED_AT_ONCE;) {
        const step = steps.next()
        if (step.done) return step.value
        moved += step.value
      }
      return UNFINISHED
    })
  const patched = turn()
  return patched === UNFINISHED ? rest(turn) : patched
}

const UNFINISHED = Symbol('unfinished')

async function rest(turn: () => unknown): Promise<unknown> {
  for (;;) {
    await api.turnOfTheEventLoop()
    const patched = turn()
    if (patched !== UNFINISHED) return patched
  }
}

/** Applies a patch, and fails with the Status that the API answers where it does not fit. */
function refusing(request: PatchRequest, apply: () => unknown): unknown {
  try {
    return apply()
  } catch (error) {
    const refusals = request.type === 'strategic' ? STRATEGIC_REFUSALS : REFUSALS
    if (error instanceof HomeostatError && Object.hasOwn(refusals, error.code)) {
      throw new Failure(refusals[error.code as keyof typeof refusals](error.message))
    }
    throw error
  }
}

const REFUSALS = {
  PATCH_INVALID: (message: string) => failure.badRequest(`error decoding patch: ${message}`),
  PATCH_TOO_LARGE: (message: string) => failure.requestEntityTooLarge(message),
  // As in Kubernetes, the message gives no details.
  PATCH_FAILED: () => ({
    ...failure.badRequest('the server rejected our request due to an error in our request'),
    reason: 'Invalid',
    details: {},
    code: 422,
  }),
}

/** The API's Status for a failed strategic merge has no reason. */
const STRATEGIC_REFUSALS = {
  PATCH_UNPROCESSABLE: REFUSALS.PATCH_FAILED,
  PATCH_INVALID: (message: string) => failure.badRequest(message),
  PATCH_FAILED: (message: string) => failure.withoutReason(message),
}

/** The API's answer when the result of a patch cannot be decoded as its kind. */
function unreadablePatch(shown: string, problem: string): Failure {
  return new Failure(
    failure.invalid({ group: '', kind: '' }, '', causesOf([invalidValue('patch', shown, problem)])),
  )
}

function refuseUnrestored(
  patched: unknown,
  { body }: PatchRequest,
  { schema }: Resource,
  known: ReadonlySet<string> | undefined,
): void {
  const problem = restoreProblem(schema, known && isObject(patched) ? withoutParts(patched, known) : patched)
  if (problem !== undefined) throw unreadablePatch(api.goText(body), problem)
}

/**
 * Checks that a patch does not change the kind. A native object may lose its kind, and a strategic merge does not
 * change it.
 */
function named(value: unknown, resource: Resource, type: PatchType): ServerObject {
  if (Array.isArray(value)) throw withoutTypeMeta(value, `array into Go value of type ${TYPE_META}`)
  if (!isObject(value)) throw new Failure(REFUSALS.PATCH_FAILED())
  const apiVersion = api.apiVersionOf(resource)
  if (type === 'strategic') Object.assign(value, { kind: resource.kind, apiVersion })
  if (!resource.custom && (value['kind'] ?? '') === '') value['kind'] = resource.kind
  if (value['kind'] !== resource.kind || value['apiVersion'] !== apiVersion)
    refuseUnknownKind(value, resource)
  if (value['metadata'] === undefined || value['metadata'] === null) value['metadata'] = {}
  return asServerObject(value)
}

/** The type in which the API server looks for the kind of an object, as Go writes it. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

function withoutTypeMeta(value: unknown, why: string): Failure {
  const problem = `couldn't get version/kind; json parse error: json: cannot unmarshal ${why}`
  return unreadablePatch(JSON.stringify(value), problem)
}

/** Without a version, no field of a native object is known, not even its name. */
function refuseWithoutVersion(
  value: unknown,
  name: string,
  options: DecodeOptions,
  duplicates: readonly string[],
): void {
  if (!isObject(value) || (value['apiVersion'] ?? '') !== '') return
  const unknown = Object.keys(value)
    .filter((field) => field !== 'kind' && field !== 'apiVersion')
    .sort()
    .map((field) => `unknown field ${quote(field)}`)
  const problems = [...duplicates, ...unknown]
  if (options.fieldValidation === 'Strict' && problems.length > 0) {
    throw unreadablePatch(JSON.stringify(value), `strict decoding error: ${problems.join(', ')}`)
  }
  if (options.fieldValidation !== 'Ignore') for (const problem of problems) options.warn(problem)
  throw new Failure(
    failure.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    ),
  )
}

/** A custom object of another kind is refused later, by {@link kindErrors}. */
function refuseUnknownKind(value: Record<string, unknown>, resource: Resource): void {
  for (const field of ['apiVersion', 'kind']) {
    const part = value[field] ?? ''
    if (typeof part === 'string') continue
    throw withoutTypeMeta(value, `${jsonKind(part)} into Go struct field .${field} of type string`)
  }
  const [kind, apiVersion] = [textOf(value['kind']), textOf(value['apiVersion'])]
  if (resource.custom && kind !== '') {
    if (value['apiVersion'] !== null) return
    throw unreadablePatch(
      JSON.stringify(value),
      '.apiVersion accessor error: <nil> is of the type <nil>, expected string',
    )
  }
  const why =
    kind === ''
      ? `Object 'Kind' is missing in '${JSON.stringify(value)}'`
      : `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
  throw unreadablePatch(JSON.stringify(value), why)
}
