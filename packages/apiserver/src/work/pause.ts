import { turnOfTheEventLoop } from '@homeostat/api'

/** How long an object may be, as JSON in bytes, for all that is done with it to fit into one turn of the event loop. */
const LARGE = 64 * 1024

/** Whether working on an object of this size may take so long that others would notice. */
export function isLarge(size: number | undefined): boolean {
  return size !== undefined && size > LARGE
}

/**
 * Lets others have their turn between two passes over a large object; undefined, at once, for one that is not.
 * The store may have changed afterwards.
 */
export function pause(size: number | undefined): Promise<void> | undefined {
  return isLarge(size) ? turnOfTheEventLoop() : undefined
}
