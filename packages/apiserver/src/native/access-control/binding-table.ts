import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

/** The table of RoleBindings and ClusterRoleBindings. */
export const roleBindingPrinter: Printer = {
  columns: [NAME, column('Role'), AGE, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  cells(object, now) {
    const subjects: PrintedObject[] = object.subjects ?? []
    const names = (kind: string) => subjects.filter((subject) => subject.kind === kind)
    return [
      nameOf(object),
      `${object.roleRef?.kind ?? ''}/${object.roleRef?.name ?? ''}`,
      age(object, now),
      names('User')
        .map(({ name }) => name)
        .join(', '),
      names('Group')
        .map(({ name }) => name)
        .join(', '),
      names('ServiceAccount')
        .map(({ namespace, name }) => `${namespace ?? ''}/${name}`)
        .join(', '),
    ]
  },
}
