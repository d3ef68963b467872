import { age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

/** As in Kubernetes, its rows have an age that no column describes. */
export const ipAddressPrinter: Printer = {
  columns: [NAME, column('ParentRef')],
  cells: (object, now) => [nameOf(object), parentRef(object.spec?.parentRef), age(object, now)],
}

/** `services/default/kubernetes`. */
function parentRef(reference: PrintedObject | undefined): string {
  if (!reference) return '<none>'
  const { group, resource = '', namespace, name = '' } = reference
  const type = (group ? `${resource}.${group}` : resource).toLowerCase()
  return [type, ...(namespace ? [namespace] : []), name].join('/')
}
