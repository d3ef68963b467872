import { turnOfTheEventLoop } from '@homeostat/api'

/**
 * A computation in parts: it yields where the event loop may run other work. It yields a promise where it waits,
 * which is allowed only in a computation that is always run in turns.
 */
export type InParts<T> = Generator<Promise<void> | undefined, T, undefined>

/** Runs a computation at once. */
export function atOnce<T>(parts: InParts<T>): T {
  for (;;) {
    const part = parts.next()
    if (part.done) return part.value
  }
}

/** Runs a computation, and yields to the event loop between its parts. */
export async function inTurns<T>(parts: InParts<T>): Promise<T> {
  for (;;) {
    const part = parts.next()
    if (part.done) return part.value
    await (part.value ?? turnOfTheEventLoop())
  }
}

/** Runs a computation at once, or in turns if it is large. If it returns a promise, the store may have changed when that resolves. */
export function computed<T>(parts: InParts<T>, large: boolean): T | Promise<T> {
  return large ? inTurns(parts) : atOnce(parts)
}
