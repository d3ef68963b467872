import type { PrintedObject } from '../../registry/index.ts'

export function phase(object: PrintedObject): string {
  return object.metadata?.deletionTimestamp ? 'Terminating' : (object.status?.phase ?? '')
}

/** The annotation named the class before there was a field. */
export function storageClassCell(object: PrintedObject): string {
  const named = object.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class']
  return named ?? object.spec?.storageClassName ?? ''
}

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

export function accessModes(modes: readonly string[] | undefined): string {
  return Object.entries(SHORT_MODES)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')
}
