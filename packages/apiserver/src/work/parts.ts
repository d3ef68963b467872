import { turnOfTheEventLoop } from '@homeostat/api'

/**
 * A computation in parts: it yields where others may have their turn of the event loop. It yields a promise where it
 * waits for something, which only a computation does that knows that it is made in turns.
 */
export type InParts<T> = Generator<Promise<void> | undefined, T, undefined>

/** Makes a computation at once. */
export function atOnce<T>(parts: InParts<T>): T {
  for (;;) {
    const part = parts.next()
    if (part.done) return part.value
  }
}

/** Makes a computation and lets others have their turn between its parts. */
export async function inTurns<T>(parts: InParts<T>): Promise<T> {
  for (;;) {
    const part = parts.next()
    if (part.done) return part.value
    await (part.value ?? turnOfTheEventLoop())
  }
}

/** Makes a computation at once, or a large one in turns. The store may have changed after a promise. */
export function computed<T>(parts: InParts<T>, large: boolean): T | Promise<T> {
  return large ? inTurns(parts) : atOnce(parts)
}
