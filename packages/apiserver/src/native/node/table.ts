import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

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
    const info: PrintedObject = object.status?.nodeInfo ?? {}
    const address = (type: string) =>
      object.status?.addresses?.find((address: PrintedObject) => address.type === type)?.address ?? '<none>'
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

function nodeState(node: PrintedObject): string {
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
