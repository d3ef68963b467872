import { HomeostatError, isJsonObject, nearestName } from '@homeostat/api'

const PENDING = 'pending'

/** The compiler's messages about a result by which a function means that it is not done, and which would count as success. */
type Problem<T> = unknown extends T
  ? never
  : T extends string
    ? string extends T
      ? never
      : T extends typeof PENDING | 'done'
        ? never
        : `a clean-up returns 'pending' while it is not done, and otherwise nothing or 'done', not '${T}'`
    : 'requeueAfter' extends keyof T
      ? NotAResult
      : 'requeue' extends keyof T
        ? NotAResult
        : never

type NotAResult =
  `a clean-up returns 'pending' while it is not done: return { requeueAfter: … } from the reconcile`

/** To be added to the type of a function that cleans up and returns `R`: a message where the result cannot be meant. */
export type CleanUpResult<R> = [Problem<Awaited<R>>] extends [never] ? unknown : Problem<Awaited<R>>

/**
 * Whether a clean-up is done: after any result but `'pending'`, such as that of a delete. Throws a `HomeostatError` with code
 * `FINALIZER_RESULT_INVALID` for a misspelt one, and for the result of a reconcile.
 */
export function isDone(result: unknown): boolean {
  if (result === PENDING) return false
  const isMisspelt = typeof result === 'string' && nearestName(result, [PENDING]) !== undefined
  if (isMisspelt || (isJsonObject(result) && ('requeueAfter' in result || 'requeue' in result))) {
    throw new HomeostatError(
      'FINALIZER_RESULT_INVALID',
      `the clean-up returned ${JSON.stringify(result)}: return 'pending' while it is not done, and { requeueAfter: … } from the reconcile`,
    )
  }
  return true
}
