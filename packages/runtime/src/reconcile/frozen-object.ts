import { HomeostatError } from '@homeostat/api'

/** The messages of V8 for a change of a frozen object in strict code, and the attempted change. */
const ATTEMPTS: readonly (readonly [pattern: RegExp, attempt: string])[] = [
  [/^Cannot assign to read only property '(.+?)' of object/, 'set'],
  [/^Cannot (?:add|define) property (.+?), object is not extensible/, 'add'],
  [/^Cannot delete property '(.+?)' of/, 'remove'],
]

/**
 * The error of a user's function. If JavaScript threw it for a change of a frozen object, returns an error that names
 * the objects that the function had read, and the remedy. `who` is for the message: `the reconcile`.
 */
export function explainFrozenObject(error: unknown, who: string, read: readonly string[]): unknown {
  if (!(error instanceof TypeError)) return error
  for (const [pattern, attempt] of ATTEMPTS) {
    const field = pattern.exec(error.message)?.[1]
    if (field === undefined) continue
    const objects = read.length > 0 ? ` (${read.join(', ')})` : ''
    return new HomeostatError(
      'OBJECT_FROZEN',
      `${who} tried to ${attempt} the field ${JSON.stringify(field)} of an object that it had read${objects}. Objects of a client or a cache are frozen, because other controllers get the same objects. Change a copy, structuredClone(object), or the draft that createOrUpdate gives.`,
      { cause: error },
    )
  }
  return error
}
