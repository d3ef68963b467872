import type { KindStrategy } from '../../registry/index.ts'
import type { FieldError } from '../../schema/index.ts'

/** A strategy with other errors. `change` returns what takes the place of an error. */
export function changeErrors(
  strategy: KindStrategy,
  change: (error: FieldError) => readonly FieldError[],
): KindStrategy {
  const changed = (errors: readonly FieldError[] | undefined): FieldError[] => (errors ?? []).flatMap(change)
  return {
    ...strategy,
    ...(strategy.validate && { validate: (object, old) => changed(strategy.validate?.(object, old)) }),
    ...(strategy.validateUpdate && {
      validateUpdate: (object, old) => changed(strategy.validateUpdate?.(object, old)),
    }),
    ...(strategy.validateStatus && {
      validateStatus: (object, old) => changed(strategy.validateStatus?.(object, old)),
    }),
    ...(strategy.validateInStore && {
      validateInStore: (object, old, context) => changed(strategy.validateInStore?.(object, old, context)),
    }),
    ...(strategy.allocate && {
      allocate: (object, old, context) => changed(strategy.allocate?.(object, old, context)),
    }),
  }
}
