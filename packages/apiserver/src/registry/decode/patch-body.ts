import { failure } from '@homeostat/api'
import { Failure } from '../resource/failure.ts'
import type { PatchType } from '../request/target.ts'
import { isObject, listOf } from '../../schema/index.ts'
import { BodyError, decodeJson, decodeYaml, jsonKind, plainNumbers } from '../../wire/index.ts'

/** A patch, with its duplicate fields. */
export interface PatchBody {
  readonly value: unknown
  readonly duplicates: readonly string[]
  /** The operations of a JSON patch with the first values of duplicate keys, if there are any. */
  readonly first?: unknown
}

/**
 * Reads a patch; fails with the Status to answer. With `native`, duplicate keys in the values of a JSON patch are
 * merged as Go does when it decodes into a struct, since these values become parts of the object unchanged.
 */
export function patchBody(body: Uint8Array | undefined, type: PatchType, native = false): PatchBody {
  // Only a strategic merge patch has no prefix.
  const prefix = type === 'strategic' ? '' : 'error decoding patch: '
  try {
    const bytes = body ?? new Uint8Array()
    const { value: last, duplicates, oddNumbers, first } = decodeJson(bytes)
    if (last === null) return nothing(type)
    checkShape(last, type)
    let value = last
    let firstOperations: unknown
    if (type === 'json' && native && duplicates.length > 0) {
      const merged = decodeJson(bytes, true).value
      value = insideValues(listOf(last), listOf(merged), duplicates)
      firstOperations = insideValues(listOf(last), listOf(first), duplicates)
    }
    const strange = type === 'json' ? strangeOperations(value as unknown[], duplicates) : duplicates
    return {
      value: oddNumbers ? plainNumbers(value) : value,
      duplicates: strange,
      ...(firstOperations !== undefined && { first: firstOperations }),
    }
  } catch (error) {
    if (error instanceof BodyError) throw new Failure(failure.badRequest(`${prefix}${error.message}`))
    throw error
  }
}

/** Reads the body of a server-side apply, in YAML or JSON; fails with the Status to answer. */
export function applyBody(body: Uint8Array | undefined): PatchBody {
  try {
    const { value, duplicates, oddNumbers } = decodeYaml(body ?? new Uint8Array())
    if (value !== null && !isObject(value)) {
      const problem = mismatch(value, 'map[string]interface {}')
      throw new Failure(
        failure.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`),
      )
    }
    return { value: oddNumbers ? plainNumbers(value) : value, duplicates }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new Failure(
      failure.badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`),
    )
  }
}

const OPERATION = new Set(['op', 'path', 'from', 'value'])

/** The operations with values from another parse. If an operation itself has a key twice, the last one counts. */
function insideValues(
  last: readonly unknown[],
  others: readonly unknown[],
  duplicates: readonly string[],
): unknown[] {
  const twice = (index: number): boolean =>
    [...OPERATION].some((name) =>
      duplicates.includes(`duplicate field ${JSON.stringify(`[${index}].${name}`)}`),
    )
  return last.map((operation, index) => (twice(index) ? operation : others[index]))
}

/** Duplicate and unknown keys in the operations of a JSON patch. */
function strangeOperations(operations: readonly unknown[], duplicates: readonly string[]): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((name) => !OPERATION.has(name))
      .map((name) => `unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  )
  return [...duplicates, ...unknown].map((problem) => `json patch ${problem}`)
}

function nothing(type: PatchType): PatchBody {
  if (type === 'merge') throw new Failure(failure.badRequest('Invalid JSON Patch'))
  return { value: type === 'json' ? [] : {}, duplicates: [] }
}

function checkShape(value: unknown, type: PatchType): void {
  if (type !== 'json') {
    if (!isObject(value)) throw new BodyError(mismatch(value, 'map[string]interface {}'))
    return
  }
  if (!Array.isArray(value)) throw new BodyError(mismatch(value, '[]handlers.jsonPatchOp'))
  for (const operation of value) {
    if (operation !== null && !isObject(operation))
      throw new BodyError(mismatch(operation, 'handlers.jsonPatchOp'))
    if (isObject(operation)) checkOperation(operation)
  }
}

function checkOperation(operation: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(operation)) {
    if (name === 'value' || !OPERATION.has(name) || value === null || typeof value === 'string') continue
    throw new BodyError(
      `json: cannot unmarshal ${jsonKind(value)} into Go struct field jsonPatchOp.${name} of type string`,
    )
  }
}

function mismatch(value: unknown, type: string): string {
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`
}
