/**
 * Controllers: the builder that makes one as a value, and what runs it. An object is never reconciled twice at the
 * same time; failed reconciles are retried by rules that the `loop-*.test.ts` files state to the millisecond.
 */
export type { Access, DeclaresAccess, PolicyRule, WriteVerb } from './access.ts'
export {
  controller,
  type ControllerBuilder,
  type ControllerForBuilder,
  type ControllerOfBuilder,
  type OwnsOptions,
  type WatchOptions,
} from './builder.ts'
export { checkOptions } from './check-options.ts'
export type { Controller, ControllerOptions, Reconcile, Watch } from './controller.ts'
export type { ControllerEnvironment, ReconcileCaller, ReconcileReport } from './environment.ts'
export { MountedController } from './mounted-controller.ts'
export { objectReconciler } from './object-reconciler.ts'
