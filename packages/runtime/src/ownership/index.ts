/**
 * Objects that belong to others: owner references, finalizers, and bringing an owned object to what it
 * should be without touching what others set.
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
