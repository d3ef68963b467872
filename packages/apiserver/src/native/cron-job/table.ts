import { AGE, age, ageOf, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { TEMPLATE, template } from '../workload/template-cells.ts'

export const cronJobPrinter: Printer = {
  columns: [
    NAME,
    column('Schedule'),
    column('Timezone'),
    column('Suspend', 'boolean'),
    column('Active', 'integer'),
    column('Last Schedule'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.schedule ?? '',
    object.spec?.timeZone ?? '<none>',
    object.spec?.suspend === undefined ? '<unset>' : object.spec.suspend ? 'True' : 'False',
    (object.status?.active ?? []).length,
    object.status?.lastScheduleTime ? ageOf(object.status.lastScheduleTime, now) : '<none>',
    age(object, now),
    ...template(object.spec?.jobTemplate ?? {}),
  ],
}
