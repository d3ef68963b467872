import { HomeostatError, type AnyKind } from '@homeostat/api'
import { resourceName } from '../requests/index.ts'

/** The error of a read after the cache was stopped. */
export function stoppedError(kind: AnyKind): HomeostatError {
  return new HomeostatError(
    'CACHE_STOPPED',
    `the cache of ${resourceName(kind)} was stopped, either with its manager or because the kind was removed from the cache. Read with a client whose cache is running.`,
  )
}
