import { AGE, age, column, NAME, nameOf, type Printer, type Stored } from './printer.ts'

export const csiNodePrinter: Printer = {
  columns: [NAME, column('Drivers', 'integer'), AGE],
  cells: (object, now) => [nameOf(object), (object.spec?.drivers ?? []).length, age(object, now)],
}

export const csiDriverPrinter: Printer = {
  columns: [
    NAME,
    column('AttachRequired', 'boolean'),
    column('PodInfoOnMount', 'boolean'),
    column('StorageCapacity', 'boolean'),
    column('TokenRequests'),
    column('RequiresRepublish', 'boolean'),
    column('Modes'),
    AGE,
  ],
  cells(object, now) {
    const spec: Stored = object.spec ?? {}
    const tokens: Stored[] | undefined = spec.tokenRequests
    return [
      nameOf(object),
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      tokens ? tokens.map(({ audience }) => audience ?? '').join(',') : '<unset>',
      spec.requiresRepublish ?? false,
      (spec.volumeLifecycleModes ?? []).join(',') || '<none>',
      age(object, now),
    ]
  },
}

export const volumeAttachmentPrinter: Printer = {
  columns: [
    NAME,
    column('Attacher', 'string', { format: 'name' }),
    column('PV'),
    column('Node'),
    column('Attached', 'boolean'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    age(object, now),
  ],
}

export const volumeAttributesClassPrinter: Printer = {
  columns: [NAME, column('DriverName'), AGE],
  cells: (object, now) => [nameOf(object), object.driverName ?? '', age(object, now)],
}
