import { column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { labels } from '../table-cells/table-cells.ts'
import { containers } from '../pod-spec/container-cells.ts'

export const podTemplatePrinter: Printer = {
  columns: [NAME, column('Containers'), column('Images'), column('Pod Labels')],
  cells: (object) => [
    nameOf(object),
    ...containers(object.template?.spec),
    labels(object.template?.metadata?.labels),
  ],
}
