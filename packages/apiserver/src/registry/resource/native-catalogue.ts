import { definitions, nativeResources } from '../../schema/index.ts'
import type { KindStrategy } from './kind-strategy.ts'
import type { Resource } from './resource.ts'

/** What reads must know about a native kind, where they must know anything. It is there before its strategy is. */
export interface NativeReading extends Pick<Resource, 'collection' | 'convert' | 'deprecation'> {
  readonly group: string
  readonly kind: string
}

/** What the catalogue needs of the native kinds. */
export interface NativeKinds {
  /** The kinds that reads must know something about. */
  readonly reading: readonly NativeReading[]
  /** Whether the strategies are loaded. */
  readonly loaded: boolean
  /** Loads the strategies; undefined where they are loaded already. */
  load(): Promise<void> | undefined
  /** The strategy of a kind. The strategies must have been loaded. */
  strategyOf(group: string, kind: string): KindStrategy
}

/** The native resources as this server serves them: all that a Kubernetes of this version serves by default. */
export function nativeCatalogue(kinds: NativeKinds): Resource[] {
  return nativeResources.map(({ definition, ...resource }) => {
    const { group, kind } = resource
    const reading = kinds.reading.find((one) => one.group === group && one.kind === kind)
    return {
      ...resource,
      virtual: resource.storageVersionHash === undefined,
      deprecation: reading?.deprecation,
      collection: reading?.collection,
      convert: reading?.convert,
      custom: false,
      columns: [],
      strategy: () => kinds.strategyOf(group, kind),
      schema: {
        // Parsed only when the kind is used.
        get root() {
          return definitions[definition] ?? {}
        },
        definitions,
      },
    }
  })
}
