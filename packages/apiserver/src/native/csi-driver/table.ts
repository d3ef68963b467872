import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

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
    const spec: PrintedObject = object.spec ?? {}
    const tokens: PrintedObject[] | undefined = spec.tokenRequests
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
