import type { ManagedFieldsEntry } from '@homeostat/api'

/**
 * The entries in the order that a server gives them when all are written in one second: those without a time, which `scale`
 * writes, come first. A second that passes between two writes would change the order.
 */
export function inManagerOrder(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const name = ({ operation, time, manager, apiVersion, subresource = '' }: ManagedFieldsEntry): string =>
    [operation, time ? 'timed' : '', manager, apiVersion, subresource].join(' ')
  return entries.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
}
