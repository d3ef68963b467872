import { type Call, connectAdmission, integer, isTrue, targetOf } from '../../http/index.ts'
import { admitSubmission, type ServerObject, validateSubmission } from '../../registry/index.ts'
import { listOf, textOf } from '../../schema/index.ts'

type FieldType = 'text' | 'texts' | 'integers' | 'switch'

/** The kinds of the options with which clients connect, and their fields. All of them are in the core group. */
const KINDS = {
  PodAttachOptions: { stdin: 'switch', stdout: 'switch', stderr: 'switch', tty: 'switch', container: 'text' },
  PodExecOptions: {
    stdin: 'switch',
    stdout: 'switch',
    stderr: 'switch',
    tty: 'switch',
    container: 'text',
    command: 'texts',
  },
  PodPortForwardOptions: { ports: 'integers' },
  PodProxyOptions: { path: 'text' },
  ServiceProxyOptions: { path: 'text' },
  NodeProxyOptions: { path: 'text' },
} as const satisfies Record<string, Readonly<Record<string, FieldType>>>

/** The options of a client that connects, with the API's names. Fields that their kind does not have are empty. */
export interface ConnectOptions {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
  readonly container: string
  readonly command: readonly string[]
  readonly ports: readonly number[]
  readonly path: string
}

/**
 * The options of a request that connects, after admission: plugins may change or reject them. The server calls the
 * plugins before it reads the object that the client connects to.
 */
export async function connectOptions(
  call: Call,
  kind: keyof typeof KINDS,
  path?: string,
): Promise<ConnectOptions> {
  const fields: Readonly<Record<string, FieldType>> = KINDS[kind]
  const { query } = call.request
  // Options have no metadata, unlike all other objects of admission.
  const object = { kind, apiVersion: 'v1' } as ServerObject
  for (const [name, type] of Object.entries(fields)) {
    const value = name === 'path' ? path : fromQuery(query, name, type)
    if (isGiven(value)) object[name] = value
  }
  const submission = {
    operation: 'CONNECT',
    target: targetOf(call),
    subresource: call.route.subresource,
    kind: {
      group: '',
      version: 'v1',
      kind,
      complete: (changed: ServerObject) => dropUnknown(changed, fields),
    },
    object,
  } as const
  const admission = connectAdmission(call)
  await admitSubmission(admission, submission)
  await validateSubmission(admission, submission)
  return {
    stdin: object['stdin'] === true,
    stdout: object['stdout'] === true,
    stderr: object['stderr'] === true,
    tty: object['tty'] === true,
    container: textOf(object['container'] ?? ''),
    command: listOf(object['command']).map(textOf),
    ports: listOf(object['ports']).map(Number),
    path: textOf(object['path'] ?? ''),
  }
}

function fromQuery(query: URLSearchParams, name: string, type: FieldType): unknown {
  switch (type) {
    case 'text':
      return query.get(name) ?? ''
    case 'texts':
      return query.getAll(name)
    case 'integers':
      return query.getAll(name).map(integer)
    case 'switch':
      return isTrue(query.get(name))
  }
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function dropUnknown(object: ServerObject, fields: Readonly<Record<string, FieldType>>): void {
  for (const name of Object.keys(object)) {
    if (name !== 'kind' && name !== 'apiVersion' && !Object.hasOwn(fields, name)) delete object[name]
  }
}
