import { BODIES } from './bodies.ts'
import { CUSTOM_OBJECTS } from './custom-objects.ts'
import { CUSTOM_DEFINITIONS } from './definitions.ts'
import type { HostileRequest } from './hostile-request.ts'
import { NATIVE_OBJECTS } from './native-objects.ts'
import { PATCHES } from './patches.ts'
import { READS } from './reads.ts'

export * from './hostile-request.ts'

/** All hostile requests: the suite counts the work of each, and the benchmark replays them. */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  ...CUSTOM_OBJECTS,
  ...NATIVE_OBJECTS,
  ...PATCHES,
  ...BODIES,
  ...CUSTOM_DEFINITIONS,
  ...READS,
]
