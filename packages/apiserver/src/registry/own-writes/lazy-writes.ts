import { LazyModule } from '../../work/index.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import type { Registry } from '../state/registry.ts'

/**
 * The writes that the server itself makes when an object changes. They need all that a write of a client needs. A
 * server loads them with the first of these writes, or earlier by {@link loadWrites}.
 */
export const ownWrites = new LazyModule('the writes of the server itself', () => import('./own-writes.ts'))

/** Loads what every write needs. Undefined where it is loaded already. */
export function loadWrites(registry: Registry): Promise<unknown> | undefined {
  if (ownWrites.loaded && objectRules.loaded && registry.kindsLoaded) return undefined
  return Promise.all([ownWrites.load(), objectRules.load(), registry.loadKinds()])
}
