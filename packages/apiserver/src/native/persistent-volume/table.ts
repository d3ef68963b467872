import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { accessModes, phase, storageClassCell } from '../table-cells/volume-cells.ts'

export const persistentVolumePrinter: Printer = {
  columns: [
    NAME,
    column('Capacity'),
    column('Access Modes'),
    column('Reclaim Policy'),
    column('Status'),
    column('Claim'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    column('Reason'),
    AGE,
    wide('VolumeMode'),
  ],
  cells(object, now) {
    const spec: PrintedObject = object.spec ?? {}
    return [
      nameOf(object),
      spec.capacity?.storage ?? '0',
      accessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phase(object),
      spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
      storageClassCell(object),
      spec.volumeAttributesClassName ?? '<unset>',
      object.status?.reason ?? '',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ]
  },
}
