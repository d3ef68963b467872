import { deepFreeze, goQuote, type AnyKind, type ObjectOf } from '@homeostat/api'
import type { AdmissionOperation, AdmissionRequest } from './admission-request.ts'
import { errored, type AdmissionResult, type Decide } from './admission-review.ts'
import { objectProblem, type NewObjectOf } from './admitted-object.ts'
import type { AdmissionContext } from './context.ts'
import { isDenied } from './defaults.ts'
import type { FieldError } from './field-error.ts'
import type { ObjectPath } from './field-path.ts'
import { invalidStatus } from './invalid-status.ts'
import { allowed, type Denied } from './result.ts'

/** The result of a validation: field errors, or `denied(…)`. An empty list of field errors allows the request. */
export type ValidationResult<K> = readonly FieldError<ObjectPath<ObjectOf<K>>>[] | Denied | undefined | void

type Awaitable<T> = T | Promise<T>

/**
 * Functions that validate requests, by operation. An API server does not call the webhook for operations without a
 * function.
 */
export interface Validation<K> {
  readonly create?: (
    object: NewObjectOf<K>,
    context: AdmissionContext<ObjectOf<K>>,
  ) => Awaitable<ValidationResult<K>>
  readonly update?: (
    object: ObjectOf<K>,
    old: ObjectOf<K>,
    context: AdmissionContext<ObjectOf<K>>,
  ) => Awaitable<ValidationResult<K>>
  /** Gets the object that is to be deleted. */
  readonly delete?: (
    object: ObjectOf<K>,
    context: AdmissionContext<ObjectOf<K>>,
  ) => Awaitable<ValidationResult<K>>
  /** For subresources such as `exec`, whose object says how to connect. */
  readonly connect?: (
    object: NewObjectOf<K>,
    context: AdmissionContext<ObjectOf<K>>,
  ) => Awaitable<ValidationResult<K>>
}

/** A validation of any kind. */
export interface AnyValidation {
  readonly create?: (object: any, context: AdmissionContext<any>) => unknown
  readonly update?: (object: any, old: any, context: AdmissionContext<any>) => unknown
  readonly delete?: (object: any, context: AdmissionContext<any>) => unknown
  readonly connect?: (object: any, context: AdmissionContext<any>) => unknown
}

const OPERATIONS = { create: 'CREATE', update: 'UPDATE', delete: 'DELETE', connect: 'CONNECT' } as const

/** The operations that a validation has functions for. */
export function operationsOf(validation: AnyValidation): AdmissionOperation[] {
  return (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).flatMap((name) =>
    validation[name] ? [OPERATIONS[name]] : [],
  )
}

/** Decides by validation. Allows operations without a function. */
export function decideByValidation(kinds: readonly AnyKind[], validation: AnyValidation): Decide {
  return async (request, context) => {
    const { operation } = request
    if (!Object.values<string>(OPERATIONS).includes(operation))
      return errored(400, `unknown operation ${goQuote(operation)}`)
    const looked = operation === 'DELETE' ? request.oldObject : request.object
    const call = callOf(validation, request, context)
    if (!call) return allowed()
    const problem =
      objectProblem(looked, kinds) ??
      (operation === 'UPDATE' ? objectProblem(request.oldObject, kinds) : undefined)
    if (problem !== undefined) return errored(400, problem)
    return resultOf(await call(), request, looked)
  }
}

function callOf(
  validation: AnyValidation,
  request: AdmissionRequest,
  context: AdmissionContext<any>,
): (() => unknown) | undefined {
  const { object, oldObject } = request
  switch (request.operation) {
    case 'CREATE':
      return validation.create && (() => validation.create?.(deepFreeze(object), context))
    case 'UPDATE':
      return (
        validation.update && (() => validation.update?.(deepFreeze(object), deepFreeze(oldObject), context))
      )
    case 'DELETE':
      return validation.delete && (() => validation.delete?.(deepFreeze(oldObject), context))
    case 'CONNECT':
      return validation.connect && (() => validation.connect?.(deepFreeze(object), context))
  }
}

function resultOf(result: unknown, request: AdmissionRequest, object: unknown): AdmissionResult {
  if (result === undefined) return allowed()
  if (Array.isArray(result)) {
    const errors = result as readonly FieldError[]
    if (errors.length === 0) return allowed()
    return { type: 'denied', status: invalidStatus(request.kind, object, errors) }
  }
  if (typeof result === 'object' && result !== null && isDenied(result)) return result
  throw new TypeError(
    `the validation returned ${JSON.stringify(result)}: return a list of field errors, denied(…) or nothing`,
  )
}
