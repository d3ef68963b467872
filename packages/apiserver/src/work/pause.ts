import { turnOfTheEventLoop } from '@homeostat/api'

/** The longest object, as JSON in bytes, that is processed in one turn of the event loop. */
const LARGE = 64 * 1024

/** Whether processing an object of this size may delay other requests noticeably. */
export function isLarge(size: number | undefined): boolean {
  return size !== undefined && size > LARGE
}

/**
 * Yields to the event loop between two passes over a large object; returns undefined at once for others. The store
 * may have changed afterwards.
 */
export function pause(size: number | undefined): Promise<void> | undefined {
  return isLarge(size) ? turnOfTheEventLoop() : undefined
}
