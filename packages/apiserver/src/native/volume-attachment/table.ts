import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

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
