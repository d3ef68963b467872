/**
 * Owned objects: owner references, finalizers, and bringing an owned object to its desired state without changing
 * fields that others set.
 */
export { createOrPatch, createOrUpdate, type CreateOrUpdateResult } from './create-or-update.ts'
export { FinalizerRegistry, type FinalizeFunction, type FinalizeResult } from './finalizer-registry.ts'
export { addFinalizer, containsFinalizer, removeFinalizer, type Finalizable } from './finalizers.ts'
export {
  controllerOf,
  controllerReference,
  hasOwnerReference,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
  type NoDocument,
  type Owned,
  type Owner,
  type OwnerMetadata,
  type OwnerOfKind,
} from './owner-reference.ts'
