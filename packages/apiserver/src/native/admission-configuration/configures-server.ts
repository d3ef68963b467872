import type { KindStrategy } from '../../registry/index.ts'

/**
 * The strategy for kinds whose objects configure the server: an update must name the resourceVersion that it
 * replaces.
 */
export const CONFIGURES_SERVER = {
  generation: true,
  unconditionalUpdate: false,
  plainFinalizers: true,
  updateSteps: ['metadata', 'object'],
} as const satisfies Partial<KindStrategy>
