import { AGE, age, column, NAME, nameOf, wide, type Printer, type Stored } from './printer.ts'

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
    const spec: Stored = object.spec ?? {}
    const bound = Boolean(spec.volumeName)
    return [
      nameOf(object),
      phase(object),
      spec.volumeName ?? '',
      bound ? (object.status?.capacity?.storage ?? '0') : '',
      bound ? accessModes(object.status?.accessModes) : '',
      storageClass(object),
      spec.volumeAttributesClassName ?? '<unset>',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ]
  },
}

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
    const spec: Stored = object.spec ?? {}
    return [
      nameOf(object),
      spec.capacity?.storage ?? '0',
      accessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phase(object),
      spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
      storageClass(object),
      spec.volumeAttributesClassName ?? '<unset>',
      object.status?.reason ?? '',
      age(object, now),
      spec.volumeMode ?? '<unset>',
    ]
  },
}

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

function phase(object: Stored): string {
  return object.metadata?.deletionTimestamp ? 'Terminating' : (object.status?.phase ?? '')
}

/** The annotation is how the class was named before there was a field. */
function storageClass(object: Stored): string {
  const named = object.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class']
  return named ?? object.spec?.storageClassName ?? ''
}

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function accessModes(modes: readonly string[] | undefined): string {
  return Object.entries(SHORT_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}
