import { failure, numberText, type ApiRequest } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  setKey,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import {
  BodyError,
  decodeBody,
  jsonKind,
  notRegistered,
  plainNumbers,
  readTypeMeta,
} from '../../wire/index.ts'
import { shortBody } from './short-body.ts'

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil']

/**
 * The DeleteOptions in a request's body: the fields that have an effect, each of its type. Fails with the Status to
 * answer.
 */
export function deleteOptionsBody(request: ApiRequest): Record<string, unknown> {
  try {
    const expected = { kind: 'DeleteOptions', apiVersion: 'v1' }
    const { value, oddNumbers } = decodeBody(shortBody(request), request.headers['content-type'], expected)
    const options = read(value)
    checkOptions(options)
    return oddNumbers ? (plainNumbers(options) as Record<string, unknown>) : options
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new Failure(error.status ?? failure.badRequest(error.message))
  }
}

function read(value: unknown): Record<string, unknown> {
  const { object, kind, apiVersion } = readTypeMeta(value)
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw new BodyError(notRegistered({ kind, apiVersion: apiVersion || 'v1' }))
  }
  return take(object, FIELDS, 'DeleteOptions', '')
}

type Types = Readonly<Record<string, { readonly type: string; readonly is: (value: unknown) => boolean }>>

const isText = (value: unknown): boolean => typeof value === 'string'

/** Whether a number is whole and 64 bits hold it. */
function isInt64(value: unknown): boolean {
  const text = numberText(value)
  return text !== undefined && /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

const FIELDS: Types = {
  gracePeriodSeconds: { type: 'int64', is: isInt64 },
  propagationPolicy: { type: 'v1.DeletionPropagation', is: isText },
  orphanDependents: { type: 'bool', is: (value) => typeof value === 'boolean' },
  dryRun: { type: '[]string', is: Array.isArray },
  preconditions: { type: 'v1.Preconditions', is: isObject },
}
const PRECONDITIONS: Types = {
  uid: { type: 'types.UID', is: isText },
  resourceVersion: { type: 'string', is: isText },
}

function take(
  value: Record<string, unknown>,
  types: Types,
  struct: string,
  path: string,
): Record<string, unknown> {
  const taken: Record<string, unknown> = {}
  for (const [field, { type, is }] of Object.entries(types)) {
    const part = Object.hasOwn(value, field) ? value[field] : undefined
    if (part === undefined || part === null) continue
    if (!is(part)) throw mismatch(part, `${struct}.${path}${field}`, type)
    if (field === 'dryRun') {
      const wrong = listOf(part).find((item) => !isText(item))
      if (wrong !== undefined) throw mismatch(wrong, `${struct}.${path}${field}`, 'string')
    }
    const whole =
      field === 'preconditions'
        ? take(objectOf(part), PRECONDITIONS, 'Preconditions', 'preconditions.')
        : part
    setKey(taken, field, whole)
  }
  return taken
}

function mismatch(value: unknown, field: string, type: string): BodyError {
  const shown = type === 'int64' && jsonKind(value) === 'number' ? ` ${JSON.stringify(value)}` : ''
  return new BodyError(
    `json: cannot unmarshal ${jsonKind(value)}${shown} into Go struct field ${field} of type ${type}`,
  )
}

function checkOptions({ propagationPolicy, orphanDependents, dryRun }: Record<string, unknown>): void {
  const problems: FieldError[] = []
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) {
      const why = 'orphanDependents and deletionPropagation cannot be both set'
      problems.push(invalidValue('propagationPolicy', propagationPolicy, why))
    }
    if (!POLICIES.includes(textOf(propagationPolicy))) {
      problems.push(unsupportedValue('propagationPolicy', propagationPolicy, POLICIES))
    }
  }
  if (dryRun !== undefined && !listOf(dryRun).every((value) => value === 'All')) {
    problems.push(unsupportedValue('dryRun', dryRun, ['All']))
  }
  if (problems.length === 0) return
  throw new Failure(failure.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causesOf(problems)))
}
