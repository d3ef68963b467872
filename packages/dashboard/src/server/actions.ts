import { HomeostatError, isJsonObject, type KubernetesObject } from '@homeostat/api'
import { ApiError, type Client } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { parse, parseAllDocuments } from 'yaml'
import {
  HIDDEN,
  hideSecrets,
  isSecret,
  OPERATOR_ACTIONS,
  type OperatorAction,
  type RecordedObject,
} from '../recording/index.ts'
import type { Viewer } from './viewer.ts'

/** Carries out an action on the operator. */
export type OperatorCommand = (action: OperatorAction) => unknown

export interface ActionAnswer {
  readonly status: number
  readonly body: object
}

/** Carries out an action that a viewer asks for, as this viewer. A failure becomes an answer with a message. */
export async function act(
  name: string,
  given: unknown,
  { viewer, operator }: { readonly viewer: Viewer; readonly operator: OperatorCommand | undefined },
): Promise<ActionAnswer> {
  try {
    if (!isJsonObject(given)) throw invalid('the body must be a JSON object')
    if (name === 'reveal')
      return { status: 200, body: await viewer.withClient((client) => reveal(given, client)) }
    if (!viewer.canWrite)
      return {
        status: 403,
        body: { message: 'this page is read-only: the option writes of operatorPage allows changes' },
      }
    if (name === 'delete') await viewer.withClient((client) => remove(given, client))
    else if (name === 'replace')
      return { status: 200, body: await viewer.withClient((client) => replace(given, client)) }
    else if (name === 'apply')
      return { status: 200, body: await viewer.withClient((client) => apply(given, client)) }
    else if (name === 'scale')
      return { status: 200, body: await viewer.withClient((client) => scale(given, client)) }
    else if (name === 'operator') await command(given, operator)
    else throw invalid(`there is no action ${name}`)
    return { status: 200, body: {} }
  } catch (error) {
    if (error instanceof ApiError) return { status: 409, body: { message: error.message } }
    if (error instanceof HomeostatError) return { status: 400, body: { message: error.message } }
    return { status: 500, body: { message: error instanceof Error ? error.message : 'the action failed' } }
  }
}

/** The values of a Secret, for a viewer to whom the API server gives them. They do not enter the recording. */
async function reveal(
  given: Record<string, unknown>,
  client: Client,
): Promise<{ values: readonly (readonly [name: string, value: string])[] }> {
  const name = text(given, 'name')
  const secret = await client.get(Secret, { name, namespace: text(given, 'namespace') })
  if (!secret) throw invalid(`the Secret ${name} is gone`)
  return {
    values: Object.entries(secret.data ?? {}).map(([key, value]) => [
      key,
      new TextDecoder().decode(Uint8Array.from(atob(value), (each) => each.charCodeAt(0))),
    ]),
  }
}

/** Deletes the object with this uid. With `dryRun` the server only says whether it would. */
async function remove(given: Record<string, unknown>, client: Client): Promise<void> {
  const kind = await kindOf(given, client)
  const namespace = given['namespace'] === undefined ? undefined : text(given, 'namespace')
  const key = { name: text(given, 'name'), namespace }
  const preconditions = { uid: text(given, 'uid') }
  const isFound = await client.delete(kind, key, { preconditions, dryRun: given['dryRun'] !== false })
  if (!isFound) throw invalid(`${kind.kind} ${key.name} is gone`)
}

/** Replaces an object by the one in the text. With `dryRun` the server only returns the result. */
async function replace(given: Record<string, unknown>, client: Client): Promise<{ object: RecordedObject }> {
  let object: unknown
  try {
    object = parse(text(given, 'yaml'))
  } catch (error) {
    throw invalid(`this is not YAML: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isObject(object)) throw invalid('the text needs apiVersion, kind and metadata with a name')
  if (isSecret(object))
    throw invalid('the values of a Secret are hidden here, so it cannot be edited here: use kubectl edit')
  const kind = await kindOf(object, client)
  const answer = await client.update(kind, object, {
    dryRun: given['dryRun'] !== false,
    fieldManager: 'homeostat-page',
  })
  return { object: hideSecrets(answer) }
}

/** An object as it is, if it exists, and as it would be or is now. */
interface AppliedChange {
  readonly before?: RecordedObject | undefined
  readonly after: RecordedObject
}

/**
 * Applies each object in the text, as `kubectl apply --server-side` does. An object with `generateName` alone is created. With
 * `dryRun` the server only returns the results.
 */
async function apply(
  given: Record<string, unknown>,
  client: Client,
): Promise<{ changes: readonly AppliedChange[] }> {
  const dryRun = given['dryRun'] !== false
  const objects = documentsIn(text(given, 'yaml'))
  const changes: AppliedChange[] = []
  for (const [index, object] of objects.entries()) {
    const { name, generateName } = object.metadata
    const which =
      objects.length === 1 ? '' : `object ${index + 1}, ${object.kind} ${name ?? generateName ?? ''}: `
    try {
      changes.push(await applyOne(object, client, dryRun))
    } catch (error) {
      const done = dryRun || index === 0 ? '' : ` (${index} before it ${index === 1 ? 'was' : 'were'} stored)`
      if (!(error instanceof HomeostatError)) throw error
      throw invalid(`${which}${error.message}${done}`)
    }
  }
  return { changes }
}

async function applyOne(object: GivenObject, client: Client, dryRun: boolean): Promise<AppliedChange> {
  refuseHiddenValues(object)
  const kind = await kindOf(object, client)
  const { name, namespace = 'default' } = object.metadata
  const place = kind.scope === 'Namespaced' ? { namespace } : {}
  const placed = { ...object, metadata: { ...object.metadata, ...place } }
  const options = { dryRun, fieldManager: 'homeostat-page' }
  if (name === undefined) return { after: hideSecrets(await client.create(kind, placed, options)) }
  const before = await client.get(kind, { name, ...place })
  const after = await client.apply(kind, placed, { ...options, force: false })
  return { before: before && hideSecrets(before), after: hideSecrets(after) }
}

/** Refuses the placeholder that the page shows for a value of a Secret. */
function refuseHiddenValues(object: GivenObject): void {
  if (!isSecret(object)) return
  for (const values of [object['data'], object['stringData']]) {
    if (isJsonObject(values) && Object.values(values).includes(HIDDEN))
      throw invalid(`${HIDDEN} stands for a value of the Secret that is not shown: write the value`)
  }
}

/** The objects in a text of one or more YAML documents. */
function documentsIn(yaml: string): readonly GivenObject[] {
  const documents = parseAllDocuments(yaml)
  for (const { errors } of documents) {
    const [error] = errors
    if (error) throw invalid(`this is not YAML: ${error.message}`)
  }
  const objects = documents
    .map((document): unknown => document.toJS())
    .filter((object) => object !== null && object !== undefined)
  if (objects.length === 0)
    throw invalid('the text has no object: write apiVersion, kind and metadata with a name')
  return objects.map((object) => {
    if (isGivenObject(object)) return object
    throw invalid('each object needs apiVersion, kind and metadata with a name')
  })
}

/** Sets how many replicas an object has, by its scale, as `kubectl scale` does. */
async function scale(given: Record<string, unknown>, client: Client): Promise<{ replicas: number }> {
  const kind = await kindOf(given, client)
  const namespace = given['namespace'] === undefined ? undefined : text(given, 'namespace')
  const key = { name: text(given, 'name'), namespace }
  const { replicas } = given
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw invalid('replicas must be a whole number from 0 on')
  const current = await client.scale.get(kind, key)
  if (!current) throw invalid(`${kind.kind} ${key.name} is gone`)
  const options = { dryRun: given['dryRun'] !== false, fieldManager: 'homeostat-page' }
  const answer = await client.scale.update(kind, { ...current, spec: { ...current.spec, replicas } }, options)
  return { replicas: answer.spec?.replicas ?? replicas }
}

async function command(given: Record<string, unknown>, operator: OperatorCommand | undefined): Promise<void> {
  const name = text(given, 'action')
  const action = OPERATOR_ACTIONS.find((each) => each === name)
  if (!operator) throw invalid('the operator does not run in this program')
  if (!action) throw invalid(`there is no action ${name}`)
  await operator(action)
}

async function kindOf(named: { readonly [name: string]: unknown }, client: Client) {
  const [apiVersion, name] = [text(named, 'apiVersion'), text(named, 'kind')]
  const kind = await client.kinds.find(apiVersion, name)
  if (!kind) throw invalid(`the server does not serve ${apiVersion} ${name}`)
  return kind
}

function text(given: { readonly [name: string]: unknown }, name: string): string {
  const value = given[name]
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text`)
  return value
}

/** An object as a user writes it: it has a name, or the beginning of one. */
interface GivenObject {
  readonly [field: string]: unknown
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string }
}

function isGivenObject(value: unknown): value is GivenObject {
  return (
    isJsonObject(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isJsonObject(value['metadata']) &&
    (typeof value['metadata']['name'] === 'string' || typeof value['metadata']['generateName'] === 'string')
  )
}

function isObject(value: unknown): value is KubernetesObject & { readonly [name: string]: unknown } {
  return (
    isJsonObject(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isJsonObject(value['metadata']) &&
    typeof value['metadata']['name'] === 'string'
  )
}

function invalid(message: string): HomeostatError {
  return new HomeostatError('ACTION_INVALID', message)
}
