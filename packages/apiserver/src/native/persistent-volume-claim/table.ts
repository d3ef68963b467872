import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { accessModes, phase, storageClassCell } from '../table-cells/volume-cells.ts'

export const persistentVolumeClaimPrinter: Printer = {
  columns: [
    NAME,
    column('Status'),
    column('Volume'),
    column('Capacity'),
    column('Access Modes'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    AGE,
    wide('VolumeMode'),
  ],
  cells(object, now) {
    const spec: PrintedObject = object.spec ?? {}
    const bound = Boolean(spec.volumeName)
    return [
      nameOf(object),
      phase(object),
      spec.volumeName ?? '',
      bound ? (object.status?.capacity?.storage ?? '0') : '',
      bound ? accessModes(object.status?.accessModes) : '',
      storageClassCell(object),
      spec.volumeAttributesClassName ?? '<unset>',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ]
  },
}
