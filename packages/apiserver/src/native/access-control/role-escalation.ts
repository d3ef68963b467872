import type { AdmissionPlugin } from '../../admission/index.ts'
import { RBAC_GROUP, refuseEscalation, whenDecided, type Authorizer, type Rbac } from '../../auth/index.ts'

/** Refuses to grant rights that the user does not have. It runs last, so that it sees the role as it will be stored. */
export function roleEscalation(rbac: Rbac, authorizer: Authorizer): AdmissionPlugin {
  const plurals = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']
  return {
    resources: plurals.map((plural) => `${RBAC_GROUP}/${plural}`),
    changes: [],
    admit({ operation, resource, namespace, name, object, oldObject, user }) {
      if (!object) return undefined
      const pathName = operation === 'CREATE' && !oldObject ? undefined : name
      const write = { plural: resource.plural, namespace, pathName, object, old: oldObject }
      return whenDecided(refuseEscalation(rbac, authorizer, user, write))
    },
  }
}
