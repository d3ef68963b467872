import { apiVersionOf, type AnyKind, type ObjectKey } from '@homeostat/api'
import { type Cause, describeCauses, requestText } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { ControllerEnvironment } from './environment.ts'
import type { ReconcileLoop } from '../guards/index.ts'

/** Warns of an endless loop: in the log, and by an event on the object, which `kubectl describe` shows. */
export function reportLoop(
  environment: ControllerEnvironment,
  about: {
    readonly controller: string
    readonly kind: AnyKind | undefined
    readonly request: ObjectKey
    readonly causes: readonly Cause[]
    readonly log: Logger
  },
  loop: ReconcileLoop,
): void {
  const { controller, kind, request, causes, log } = about
  const others = loop.others?.join(', ')
  log.warn(
    { ...loop, causes: describeCauses(causes) },
    others !== undefined
      ? `reconciles cause each other in an endless loop: each one writes, and its write causes the next, by way of ${others}. The object is now reconciled less often. Let one controller alone decide on each field, and write only what differs from what was read`
      : "a reconcile causes itself in an endless loop: each one writes, and only that write causes the next. The object is now reconciled less often. Write only what differs from what was read, or filter out the controller's own change with a predicate such as generationChanged",
  )
  if (!kind) return
  const { uid } = environment.cache.informer(kind).get(request)?.metadata ?? {}
  const why =
    others !== undefined
      ? `because its write causes another reconcile, whose write causes the next (${others})`
      : 'because each reconcile writes and its own write causes the next'
  const what = loop.changes.length > 0 ? `: ${loop.changes.join(', ')} changed each time` : ''
  environment.events(controller).warning(
    { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...request, uid } },
    'ReconcileLoop',
    // The same words for the same loop, so that repeated warnings become one event with a count.
    `the controller ${controller} reconciles ${requestText(request)} in an endless loop, ${why}${what}. The object is now reconciled less often`,
  )
}
