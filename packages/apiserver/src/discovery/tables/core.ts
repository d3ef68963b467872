import { ageOf } from './age.ts'
import { AGE, age, column, conditionOf, NAME, nameOf, wide, type Printer, type Stored } from './printer.ts'

export const configMapPrinter: Printer = {
  columns: [NAME, column('Data'), AGE],
  cells: (object, now) => [
    nameOf(object),
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    age(object, now),
  ],
}

export const secretPrinter: Printer = {
  columns: [NAME, column('Type'), column('Data'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.type ?? '',
    Object.keys(object.data ?? {}).length,
    age(object, now),
  ],
}

export const serviceAccountPrinter: Printer = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
}

export const namespacePrinter: Printer = {
  columns: [NAME, column('Status'), AGE],
  cells: (object, now) => [nameOf(object), object.status?.phase ?? '', age(object, now)],
}

export const nodePrinter: Printer = {
  columns: [
    NAME,
    column('Status'),
    column('Roles'),
    AGE,
    column('Version'),
    wide('Internal-IP'),
    wide('External-IP'),
    wide('OS-Image'),
    wide('Kernel-Version'),
    wide('Container-Runtime'),
  ],
  cells(object, now) {
    const info: Stored = object.status?.nodeInfo ?? {}
    const address = (type: string) =>
      object.status?.addresses?.find((address: Stored) => address.type === type)?.address ?? '<none>'
    return [
      nameOf(object),
      nodeState(object),
      nodeRoles(object.metadata?.labels ?? {}) || '<none>',
      age(object, now),
      info.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info.osImage || '<unknown>',
      `${info.kernelVersion || '<unknown>'}${info.architecture ? ` (${info.architecture})` : ''}`,
      info.containerRuntimeVersion || '<unknown>',
    ]
  },
}

function nodeState(node: Stored): string {
  const ready = conditionOf(node.status?.conditions, 'Ready')
  const state = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'
  return node.spec?.unschedulable ? `${state},SchedulingDisabled` : state
}

/** Roles are labels: `node-role.kubernetes.io/<role>` or `kubernetes.io/role: <role>`. */
function nodeRoles(labels: Record<string, string>): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(prefix) ? key.slice(prefix.length) : key === 'kubernetes.io/role' ? value : '',
  )
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',')
}

/** Events of both groups: `events.k8s.io` has other names for the same fields. */
export const eventPrinter: Printer = {
  columns: [
    column('Last Seen'),
    column('Type'),
    column('Reason'),
    column('Object'),
    wide('Subobject'),
    wide('Source'),
    column('Message'),
    wide('First Seen'),
    wide('Count'),
    column('Name', 'string', { wide: true, format: 'name' }),
  ],
  cells(event, now) {
    const about: Stored = event.involvedObject ?? event.regarding ?? {}
    const source: Stored = event.source ?? event.deprecatedSource ?? {}
    const first = ageOf(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime, now)
    const last = event.lastTimestamp ?? event.deprecatedLastTimestamp
    const kind = (about.kind ?? '').toLowerCase()
    const component = source.component || event.reportingComponent || event.reportingController || ''
    const instance = source.host || event.reportingInstance
    return [
      event.series ? ageOf(event.series.lastObservedTime, now) : last ? ageOf(last, now) : first,
      event.type ?? '',
      event.reason ?? '',
      about.name ? `${kind}/${about.name}` : kind,
      about.fieldPath ?? '',
      instance ? `${component}, ${instance}` : component,
      (event.message ?? event.note ?? '').trim(),
      first,
      event.series ? (event.series.count ?? 0) : event.count || event.deprecatedCount || 1,
      nameOf(event),
    ]
  },
}

export const leasePrinter: Printer = {
  columns: [NAME, column('Holder'), AGE],
  cells: (object, now) => [nameOf(object), object.spec?.holderIdentity ?? '', age(object, now)],
}

/** Bindings of Roles and of ClusterRoles. */
export const roleBindingPrinter: Printer = {
  columns: [NAME, column('Role'), AGE, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  cells(object, now) {
    const subjects: Stored[] = object.subjects ?? []
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
