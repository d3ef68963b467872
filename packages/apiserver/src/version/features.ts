import { HomeostatError } from '@homeostat/api'

/** The features that can be turned off, by the names of their gates in Kubernetes. */
export const OPTIONAL_FEATURES = ['APIResponseCompression', 'StorageVersionHash', 'WatchList'] as const

/** One of {@link OPTIONAL_FEATURES}. */
export type OptionalFeature = (typeof OPTIONAL_FEATURES)[number]

/** Whether a name is one of {@link OPTIONAL_FEATURES}. */
export function isOptionalFeature(name: string): name is OptionalFeature {
  return OPTIONAL_FEATURES.some((feature) => feature === name)
}

/** The features of a server that are off. Fails with `FEATURE_UNKNOWN` on a name that is not in the list. */
export function disabledFeatures(names: readonly string[] = []): ReadonlySet<OptionalFeature> {
  return new Set(
    names.map((name) => {
      if (isOptionalFeature(name)) return name
      throw new HomeostatError(
        'FEATURE_UNKNOWN',
        `disabledFeatures names ${JSON.stringify(name)}, which cannot be turned off: use ${OPTIONAL_FEATURES.join(', ')}`,
      )
    }),
  )
}
