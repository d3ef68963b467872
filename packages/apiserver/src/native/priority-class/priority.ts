import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf, storedObject } from '../../registry/index.ts'
import { textOf } from '../../schema/index.ts'

const CLASSES = 'scheduling.k8s.io/priorityclasses'

/** Gives a Pod the priority of its class, and refuses a second default class. */
export function priority(registry: Registry): AdmissionPlugin {
  const classes = (): ServerObject[] => registry.store.snapshot({ collection: CLASSES }).map(storedObject)
  return {
    resources: ['/pods', CLASSES],
    changes: ['CREATE'],
    admit(request) {
      const { object, operation, subresource, resource } = request
      if (!object || subresource !== undefined || operation !== 'CREATE') return
      if (resource.plural === 'pods') resolve(request, object, classes())
    },
    validate(request) {
      const { object, subresource, resource } = request
      if (!object || subresource !== undefined || resource.plural === 'pods') return
      checkDefault(request, object, classes())
    },
  }
}

function checkDefault(
  { operation, name, refuse }: AdmissionRequest,
  object: ServerObject,
  classes: readonly ServerObject[],
): void {
  const present = object['globalDefault'] === true ? defaultOf(classes) : undefined
  if (!present || (operation === 'UPDATE' && present.metadata.name === name)) return
  refuse(`PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`)
}

/** The default class; of several, the one with the lowest priority. */
function defaultOf(classes: readonly ServerObject[]): ServerObject | undefined {
  return classes
    .filter((one) => one['globalDefault'] === true)
    .toSorted((a, b) => Number(a['value']) - Number(b['value']))[0]
}

function resolve({ refuse }: AdmissionRequest, pod: ServerObject, classes: readonly ServerObject[]): void {
  const spec = specOf(pod)
  const wanted = textOf(spec['priorityClassName'])
  const found = wanted === '' ? defaultOf(classes) : classes.find((one) => one.metadata.name === wanted)
  if (wanted !== '' && !found) refuse(`no PriorityClass with name ${wanted} was found`)
  const value = typeof found?.['value'] === 'number' ? found['value'] : 0
  if (spec['priority'] !== undefined && spec['priority'] !== value) {
    refuse(
      `the integer value of priority (${textOf(spec['priority'])}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    )
  }
  const policy = textOf(found?.['preemptionPolicy']) || 'PreemptLowerPriority'
  if (spec['preemptionPolicy'] !== undefined && spec['preemptionPolicy'] !== policy) {
    refuse(
      `the string value of PreemptionPolicy (${textOf(spec['preemptionPolicy'])}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    )
  }
  pod['spec'] = Object.assign(spec, {
    priority: value,
    preemptionPolicy: policy,
    ...(found && wanted === '' && { priorityClassName: found.metadata.name }),
  })
}
