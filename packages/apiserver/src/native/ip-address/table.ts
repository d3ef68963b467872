import { age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, Stored } from '../../registry/index.ts'

/** Its rows have an age, which no column describes: that is how Kubernetes has it. */
export const ipAddressPrinter: Printer = {
  columns: [NAME, column('ParentRef')],
  cells: (object, now) => [nameOf(object), parentRef(object.spec?.parentRef), age(object, now)],
}

/** `services/default/kubernetes`. */
function parentRef(reference: Stored | undefined): string {
  if (!reference) return '<none>'
  const { group, resource = '', namespace, name = '' } = reference
  const type = (group ? `${resource}.${group}` : resource).toLowerCase()
  return [type, ...(namespace ? [namespace] : []), name].join('/')
}
