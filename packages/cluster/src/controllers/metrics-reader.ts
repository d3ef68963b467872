import { ClusterRole } from '@homeostat/api/kinds'
import { isAlreadyExists, type Client } from 'homeostat'

const NAME = 'system:aggregated-metrics-reader'
/** Roles that get the rules of this one. */
const AGGREGATED = ['view', 'edit', 'admin']

/** Lets users who may view, edit or administer also read metrics, as a metrics-server does. */
export async function ensureMetricsReader(client: Client): Promise<void> {
  if (await client.get(ClusterRole, { name: NAME })) return
  const labels = AGGREGATED.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true'])
  try {
    await client.create(ClusterRole, {
      metadata: { name: NAME, labels: Object.fromEntries(labels) },
      rules: [
        { apiGroups: ['metrics.k8s.io'], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
      ],
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
