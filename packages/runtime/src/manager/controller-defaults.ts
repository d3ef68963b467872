import { HomeostatError, type AnyKind } from '@homeostat/api'
import { checkOptions, type Controller, type ControllerOptions } from '../controller/index.ts'

/** Options for all controllers of a manager. A controller's own options take precedence. */
export interface ControllerDefaults extends ControllerOptions {
  /**
   * How many objects of a kind are reconciled at the same time, by the kind that the controller is for: `{
   * 'Deployment.apps': 5, Pod: 2 }`. It takes precedence over `maxConcurrentReconciles` here, but not over a
   * controller's own.
   */
  readonly groupKindConcurrency?: Readonly<Record<string, number>> | undefined
}

/** Throws a `HomeostatError` with code `CONTROLLER_OPTIONS_INVALID` that names the option. */
export function checkDefaults({ groupKindConcurrency = {}, ...options }: ControllerDefaults): void {
  checkOptions('all controllers of the manager', options)
  for (const [groupKind, concurrency] of Object.entries(groupKindConcurrency)) {
    if (Number.isInteger(concurrency) && concurrency >= 1) continue
    throw new HomeostatError(
      'CONTROLLER_OPTIONS_INVALID',
      `the option controllers.groupKindConcurrency of the manager is ${concurrency} for ${groupKind}: it must be a whole number of at least 1`,
    )
  }
}

/** The controller, with the manager's options where it sets none itself. */
export function withDefaults(controller: Controller, defaults: ControllerDefaults = {}): Controller {
  const { groupKindConcurrency = {}, ...options } = defaults
  const byKind = controller.kind && groupKindConcurrency[groupKindOf(controller.kind)]
  const said = Object.fromEntries(
    Object.entries(controller.options).filter(([, value]) => value !== undefined),
  ) as ControllerOptions
  return {
    ...controller,
    options: { ...options, ...(byKind !== undefined && { maxConcurrentReconciles: byKind }), ...said },
  }
}

/** The named kinds that no controller reconciles: most likely a typing error. */
export function unknownGroupKinds(
  { groupKindConcurrency = {} }: ControllerDefaults,
  controllers: readonly Controller[],
): string[] {
  const known = new Set(controllers.flatMap(({ kind }) => (kind ? [groupKindOf(kind)] : [])))
  return Object.keys(groupKindConcurrency).filter((groupKind) => !known.has(groupKind))
}

/** `Deployment.apps`; `Pod` for what is in the core group. */
function groupKindOf({ group, kind }: AnyKind): string {
  return group === '' ? kind : `${kind}.${group}`
}
