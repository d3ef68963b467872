import type { NativeKinds } from '../registry/native-catalogue.ts'
import { LazyModule } from '../work/index.ts'
import { READING } from './reading.ts'

const kinds = new LazyModule('the list of native kinds', () => import('./kinds.ts'))

/** The native kinds, as the catalogue needs them. */
export const nativeKinds: NativeKinds = {
  reading: READING,
  load: () => kinds.load(),
  strategyOf: (group, kind) => kinds.get().strategyOf(group, kind),
}
