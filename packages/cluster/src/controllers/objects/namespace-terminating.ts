import { isForbidden } from 'homeostat'

/** Whether something could not be made because its namespace is going: then all that is in it goes as well. */
export function isNamespaceTerminating(error: unknown): boolean {
  return (
    isForbidden(error) &&
    (error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
  )
}
