import { NATIVE_TYPES, type NativeTypes } from '../../schema/index.ts'
import type { KindStrategy } from './kind-strategy.ts'
import type { Resource } from './resource.ts'

/** The facts about a native kind that reads need. They are available before its strategy. */
export interface NativeReading extends Pick<Resource, 'collection' | 'convert' | 'deprecation'> {
  readonly group: string
  readonly kind: string
}

/** The native kinds, for the catalogue. */
export interface NativeKinds {
  /** The kinds with facts for reads. */
  readonly reading: readonly NativeReading[]
  /** Whether the strategies are loaded. */
  readonly loaded: boolean
  /** Loads the strategies; undefined where they are loaded already. */
  load(): Promise<void> | undefined
  /** The strategy of a kind where some feature gates are off. The strategies must have been loaded. */
  strategyOf(group: string, kind: string, disabledGates: readonly string[]): KindStrategy
}

/** The native resources: all that a release of Kubernetes serves by default. */
export function nativeCatalogue(kinds: NativeKinds, types: NativeTypes = NATIVE_TYPES): Resource[] {
  const { resources, definitions, disabledGates } = types
  return resources.map(({ definition, ...resource }) => {
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
      strategy: () => kinds.strategyOf(group, kind, disabledGates),
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
