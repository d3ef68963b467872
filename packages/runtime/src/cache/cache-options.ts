import { checkOptionNames, optionNames, type Clock } from '@homeostat/api'
import type { CallbackFailureListener, Labels, Logger, MetricsRegistry } from '../telemetry/index.ts'
import type { Transport } from '../transport/index.ts'
import type { FirstList } from '../watch/index.ts'
import { KIND_CACHE_OPTIONS, type KindCacheOptions, type Transform } from './kind-options.ts'

/** The content of a cache: the part of its options that a manager passes on. */
export interface CacheOptions {
  /** Options for single kinds. All other kinds are kept in full, with the options given here. */
  readonly kinds?: readonly KindCacheOptions[] | undefined
  /** Keeps only the objects of these namespaces, unless the options of a kind name other namespaces. Default: all. */
  readonly namespaces?: readonly string[] | undefined
  /**
   * Changes each object before the cache keeps it, unless the options of the kind have another transform. Default:
   * none.
   */
  readonly transform?: Transform | undefined
  /**
   * Decides about the first read of a kind that nothing watches yet: `'watch'` starts a watch, and logs a warning with
   * the rights that it needs; `'fail'` throws. Default: `'watch'`.
   */
  readonly missingInformer?: 'watch' | 'fail' | undefined
  /** How the first list of a kind is requested. Default: `'list'`. */
  readonly firstList?: FirstList | undefined
}

export interface InformerCacheOptions extends CacheOptions {
  transport: Transport
  clock: Clock
  logger?: Logger | undefined
  /** Where `homeostat_cache_objects` and `homeostat_cache_bytes` are shown, by kind. Default: nowhere. */
  metrics?: MetricsRegistry | undefined
  /** Called for index functions and transforms that threw. Default: none. */
  onCallbackFailure?: CallbackFailureListener | undefined
  /** Labels that tell the metrics of several caches apart. Default: none. */
  metricLabels?: Labels | undefined
  /** How often listeners get every object again, in milliseconds, give or take a tenth. Default: 10 hours. */
  resyncMilliseconds?: number | undefined
}

const CACHE_OPTIONS = {
  kinds: true,
  namespaces: true,
  transform: true,
  missingInformer: true,
  firstList: true,
} as const
const CACHE = optionNames<CacheOptions>('the option cache', CACHE_OPTIONS)
export const INFORMER_CACHE = optionNames<InformerCacheOptions>('InformerCache', {
  ...CACHE_OPTIONS,
  transport: true,
  clock: true,
  logger: true,
  metrics: true,
  onCallbackFailure: true,
  metricLabels: true,
  resyncMilliseconds: true,
})

/** Throws a `HomeostatError` with code `OPTION_UNKNOWN` for an option of a cache, or of a kind in it, that does not exist. */
export function checkCacheOptions(options: CacheOptions | undefined, known = CACHE): void {
  checkOptionNames(options, known)
  for (const kind of options?.kinds ?? []) checkOptionNames(kind, KIND_CACHE_OPTIONS)
}
