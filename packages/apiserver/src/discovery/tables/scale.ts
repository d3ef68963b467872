import type { KindStrategy, Printer, Resource } from '../../registry/index.ts'
import { AGE, age, column, nameOf } from './printer.ts'

/** The table of a Scale: the desired and the available replicas. */
const scalePrinter: Printer = {
  columns: [column('Name'), column('Desired', 'integer'), column('Available', 'integer'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    age(object, now),
  ],
}

const CREATED =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata'

/** The resource as which the Scale of another resource is shown. Its table depends on the scaled resource. */
export function scaleResource(resource: Resource): Resource {
  const scale = { ...resource, kind: 'Scale', listKind: 'ScaleList', plural: 'scales' }
  const strategy = (): KindStrategy => ({ table: scalePrinter })
  if (!resource.custom) return { ...scale, group: 'autoscaling', version: 'v1', strategy }
  const replicas = (name: string, path: string, which: string) =>
    ({ name, type: 'integer', path, description: `Number of ${which} replicas` }) as const
  return {
    ...scale,
    columns: [
      replicas('Desired', '.spec.replicas', 'desired'),
      replicas('Available', '.status.replicas', 'actual'),
      { name: 'Age', type: 'date', path: '.metadata.creationTimestamp', description: CREATED },
    ],
  }
}
