import type { ServerObject } from '../resource/server-object.ts'

/**
 * Gives the first attempt of a write the object that was decoded already. An attempt changes its object, so that each later
 * one decodes the body again. That is rare, and costs less than a copy for every write.
 */
export function firstThenAgain(
  object: ServerObject,
  decode: () => Promise<{ readonly object: ServerObject }>,
): () => ServerObject | Promise<ServerObject> {
  let first: ServerObject | undefined = object
  return () => {
    if (!first) return decode().then((decoded) => decoded.object)
    const given = first
    first = undefined
    return given
  }
}
