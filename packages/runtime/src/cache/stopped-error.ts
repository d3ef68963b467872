import { HomeostatError, type AnyKind } from '@homeostat/api'
import { resourceName } from '../requests/index.ts'

/** What a read of a cache gets that was stopped. */
export function stoppedError(kind: AnyKind): HomeostatError {
  return new HomeostatError(
    'CACHE_STOPPED',
    `the cache of ${resourceName(kind)} was stopped. It ends with its manager, or when it is removed: read again with a client of a cache that runs.`,
  )
}
