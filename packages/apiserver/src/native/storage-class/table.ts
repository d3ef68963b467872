import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const storageClassPrinter: Printer = {
  columns: [
    NAME,
    column('Provisioner'),
    column('ReclaimPolicy'),
    column('VolumeBindingMode'),
    column('AllowVolumeExpansion'),
    AGE,
  ],
  cells(object, now) {
    const isDefault = object.metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
    return [
      `${nameOf(object)}${isDefault ? ' (default)' : ''}`,
      object.provisioner ?? '',
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      age(object, now),
    ]
  },
}
