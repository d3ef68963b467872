import { objectsIn } from '../../checks/index.ts'
import { type KindStrategy, NAMESPACES, storedObject } from '../../registry/index.ts'
import { type FieldError, forbiddenValue, objectOf } from '../../schema/index.ts'

const LABEL = 'resource.kubernetes.io/admin-access'
const DETAIL = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`

type ValidateInStore = NonNullable<KindStrategy['validateInStore']>

/** Refuses admin access to devices in a namespace without the label that allows it. `devicesAt` finds the devices that an object requests. */
export function adminAccess(devicesAt: (spec: unknown) => unknown): ValidateInStore {
  return (object, old, context) => {
    if (!old) {
      const { requests } = objectOf(devicesAt(object['spec']))
      const asks = objectsIn(requests).findIndex(({ exactly }) => objectOf(exactly)['adminAccess'] === true)
      return refused(asks, 'spec.devices.requests', object.metadata.namespace, context)
    }
    if (!context.status || grantedIn(old['status']) >= 0) return []
    const granted = grantedIn(object['status'])
    return refused(granted, 'status.allocation.devices.results', object.metadata.namespace, context)
  }
}

function grantedIn(status: unknown): number {
  const { results } = objectOf(objectOf(objectOf(status)['allocation'])['devices'])
  return objectsIn(results).findIndex(({ adminAccess: granted }) => granted === true)
}

function refused(
  index: number,
  list: string,
  namespace: string | undefined,
  { store }: Parameters<ValidateInStore>[2],
): FieldError[] {
  if (index < 0) return []
  const stored = store.get(NAMESPACES, namespace ?? '')
  if (stored && storedObject(stored).metadata.labels?.[LABEL] === 'true') return []
  return [forbiddenValue(`${list}[${index}].adminAccess`, DETAIL)]
}
