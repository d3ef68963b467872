import { wide } from '../../discovery/index.ts'
import type { PrintedObject } from '../../registry/index.ts'
import { containers } from '../pod-spec/container-cells.ts'
import { labelSelector } from '../table-cells/table-cells.ts'

export const TEMPLATE = [wide('Containers'), wide('Images'), wide('Selector')] as const

/** The wide cells of a workload: its containers, their images and its selector. */
export function template(object: PrintedObject): string[] {
  return [...containers(object.spec?.template?.spec), labelSelector(object.spec?.selector)]
}
