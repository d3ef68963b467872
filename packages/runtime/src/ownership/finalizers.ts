/** An object whose finalizers can be changed: a draft of one's own. */
export interface Finalizable {
  metadata: { finalizers?: readonly string[] | undefined }
}

/** Whether the object waits for this finalizer before it goes. */
export function containsFinalizer(
  object: { readonly metadata: { readonly finalizers?: readonly string[] | undefined } },
  finalizer: string,
): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false
}

/** Adds the finalizer, in place. Answers whether it was missing. */
export function addFinalizer(object: Finalizable, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer]
  return true
}

/** Removes the finalizer, in place. Answers whether it was there. */
export function removeFinalizer(object: Finalizable, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false
  object.metadata.finalizers = object.metadata.finalizers?.filter((other) => other !== finalizer)
  return true
}
