import { HomeostatError, milliseconds, type Duration } from '@homeostat/api'

/** The result of a reconcile that does not throw. */
export type Result =
  /** Done: called again when something changes. */
  | undefined
  // eslint-disable-next-line typescript/no-invalid-void-type -- a function without a return is the usual case
  | void
  | ResultFields

/** When a reconcile is called again, if nothing changes. */
interface ResultFields {
  /** Called again after exactly this time, or earlier if something changes. */
  requeueAfter?: Duration | undefined
  /** Called again at once; the second time in a row after 5 ms, then 10, 20 and so on. */
  requeue?: boolean | undefined
}

export type ResultField = keyof ResultFields

/** The compiler's message about a field that a result does not have. */
type UnknownResultField<Name extends string> =
  `a result has no field ${Name}: return { requeueAfter: … }, { requeue: true } or nothing`

/**
 * {@link Result} with a message in the place of each field that a result does not have. `Field` is inferred from what a
 * function returns, since TypeScript itself looks for unknown fields in arguments, but not in what a function returns.
 */
export type ResultWith<Field extends string> =
  | undefined
  // eslint-disable-next-line typescript/no-invalid-void-type -- as in Result
  | void
  | { [F in Field]?: F extends ResultField ? ResultFields[F] : UnknownResultField<F> }

/**
 * To be added to the type of a function that returns {@link ResultWith}: the message alone where a field is unknown, so
 * that the compiler says it before it compares types. For a function that returns nothing, `Field` is any text.
 */
export type KnownResult<Field extends string> = string extends Field
  ? unknown
  : [Exclude<Field, ResultField>] extends [never]
    ? unknown
    : UnknownResultField<Exclude<Field, ResultField>>

/** The consequence of a reconcile that returned. */
export type Outcome =
  | { readonly type: 'done' }
  | { readonly type: 'requeueAfter'; readonly milliseconds: number }
  | { readonly type: 'requeue' }

const DONE: Outcome = { type: 'done' }
const REQUEUE: Outcome = { type: 'requeue' }

/**
 * Reads what a reconcile returned. `requeueAfter` takes precedence where both are given. A `requeueAfter` of 0 counts
 * as `requeue`, so that it has a growing delay too. Anything that is not a {@link Result} throws a `HomeostatError`
 * with code `RESULT_INVALID`.
 */
export function readResult(value: unknown): Outcome {
  if (value === undefined) return DONE
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(describe(value))
  const unknown = Object.keys(value).find((name) => name !== 'requeueAfter' && name !== 'requeue')
  if (unknown !== undefined) throw invalid(`an object with the field ${JSON.stringify(unknown)}`)
  const { requeueAfter, requeue } = value as { requeueAfter?: unknown; requeue?: unknown }
  if (requeue !== undefined && typeof requeue !== 'boolean') throw invalid(`requeue: ${describe(requeue)}`)
  if (requeueAfter === undefined) return requeue ? REQUEUE : DONE
  const after = readDuration(requeueAfter)
  return after === 0 ? REQUEUE : { type: 'requeueAfter', milliseconds: after }
}

function readDuration(value: unknown): number {
  try {
    return milliseconds(value as Duration)
  } catch (cause) {
    throw invalid(`requeueAfter: ${describe(value)}`, cause)
  }
}

function invalid(what: string, cause?: unknown): HomeostatError {
  return new HomeostatError(
    'RESULT_INVALID',
    `the reconcile returned ${what}: it must return nothing, {}, { requeueAfter: '30s' } (a duration that is not negative) or { requeue: true }`,
    { cause },
  )
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
