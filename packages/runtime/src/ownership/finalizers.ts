/** An object whose finalizers can be changed: the caller's own draft. */
export interface Finalizable {
  metadata: { finalizers?: readonly string[] | undefined }
}

/** Whether the object has this finalizer, which blocks its deletion. */
export function containsFinalizer(
  object: { readonly metadata: { readonly finalizers?: readonly string[] | undefined } },
  finalizer: string,
): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false
}

/** Adds the finalizer, in place. Returns whether it was missing. */
export function addFinalizer(object: Finalizable, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  return true
}

/** Removes the finalizer, in place. Returns whether it was there. */
export function removeFinalizer(object: Finalizable, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false
  object.metadata.finalizers = object.metadata.finalizers?.filter((other) => other !== finalizer)
  return true
}
