import { parseApiVersion } from '@homeostat/api'
import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

export const controllerRevisionPrinter: Printer = {
  columns: [NAME, column('Controller'), column('Revision'), AGE],
  cells(object, now) {
    const owner = object.metadata?.ownerReferences?.find((owner: PrintedObject) => owner.controller)
    return [nameOf(object), owner ? ownerName(owner) : '<none>', object.revision ?? 0, age(object, now)]
  },
}

/** `statefulset.apps/web`. */
function ownerName(owner: PrintedObject): string {
  const { group } = parseApiVersion(owner.apiVersion)
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`
}
