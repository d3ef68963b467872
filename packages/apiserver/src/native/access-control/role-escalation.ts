import type { AdmissionPlugin } from '../../admission/index.ts'
import { RBAC_GROUP, refuseEscalation, type Rbac } from '../../auth/index.ts'

/** Nobody gives rights that they do not have. It comes last, so that it sees the role as it will be. */
export function roleEscalation(rbac: Rbac): AdmissionPlugin {
  const plurals = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']
  return {
    resources: plurals.map((plural) => `${RBAC_GROUP}/${plural}`),
    readOnly: true,
    admit({ operation, resource, namespace, name, object, oldObject, user }) {
      if (!object) return
      refuseEscalation(rbac, user, {
        plural: resource.plural,
        namespace,
        pathName: operation === 'CREATE' && !oldObject ? undefined : name,
        object,
        old: oldObject,
      })
    },
  }
}
