import { HomeostatError, isJsonObject, type KubernetesObject } from '@homeostat/api'
import { ApiError, type Client } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { parse } from 'yaml'
import { hideSecrets, isSecret, type OperatorAction, type RecordedObject } from '../recording/index.ts'
import type { Viewer } from './viewer.ts'

/** Does something to the operator. */
export type OperatorCommand = (action: OperatorAction) => unknown

export interface ActionAnswer {
  readonly status: number
  readonly body: object
}

const OPERATOR_ACTIONS: readonly OperatorAction[] = [
  'crash',
  'restart',
  'pause',
  'resume',
  'step',
  'api-normal',
  'api-slow',
  'api-failing',
]

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
      return { status: 403, body: { message: 'this page is read-only: operatorPage has the option writes' } }
    if (name === 'delete') await viewer.withClient((client) => remove(given, client))
    else if (name === 'replace')
      return { status: 200, body: await viewer.withClient((client) => replace(given, client)) }
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

async function remove(given: Record<string, unknown>, client: Client): Promise<void> {
  const kind = await kindOf(given, client)
  const namespace = given['namespace'] === undefined ? undefined : text(given, 'namespace')
  await client.delete(
    kind,
    { name: text(given, 'name'), namespace },
    { preconditions: { uid: text(given, 'uid') } },
  )
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
