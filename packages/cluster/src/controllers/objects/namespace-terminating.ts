import { isForbidden } from 'homeostat'

/** Whether an object could not be created because its namespace is being deleted, with everything in it. */
export function isNamespaceTerminating(error: unknown): boolean {
  return (
    isForbidden(error) &&
    (error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
  )
}
