import type { KindActions } from '../http/index.ts'
import type { KindStrategy, NativeKinds } from '../registry/index.ts'
import { LazyModule } from '../work/index.ts'
import type { KindServices } from './kind/native-kind.ts'
import { READING } from './kinds-for-reads.ts'

const kinds = new LazyModule('the list of native kinds', () => import('./kinds.ts'))
const COMMON: KindStrategy = {}

/** The native kinds, as the catalogue needs them. */
export const nativeKinds: NativeKinds = {
  reading: READING,
  get loaded() {
    return kinds.loaded
  },
  load: () => kinds.load(),
  strategyOf: (group, kind, gates) => kinds.get().strategyWithout(gates, group, kind) ?? COMMON,
}

/** The actions of the native kinds, for a server that has these services. */
export function nativeActions(services: KindServices): KindActions {
  return {
    subresource: ({ group, kind }, name) => {
      const { subresources = {} } = kinds.get().nativeKind(group, kind) ?? {}
      return Object.hasOwn(subresources, name) ? subresources[name]?.(services) : undefined
    },
    virtual: ({ group, kind }) => kinds.get().nativeKind(group, kind)?.answer?.(services),
  }
}
