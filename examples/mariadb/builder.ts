import type { CreateOf } from 'homeostat'
import type { Service, StatefulSet } from 'homeostat/kinds'
import type { MariaDB } from './mariadb.ts'

/** The Service as it should be. */
export function buildService(db: MariaDB): CreateOf<typeof Service> {
  const { type, loadBalancerClass } = db.spec.service
  return {
    metadata: metadataOf(db),
    spec: {
      type,
      ...(loadBalancerClass && { loadBalancerClass }),
      selector: labelsOf(db),
      ports: [{ name: 'mysql', port: db.spec.port, targetPort: 'mysql' }],
    },
  }
}

/** The StatefulSet as it should be. */
export function buildStatefulSet(db: MariaDB): CreateOf<typeof StatefulSet> {
  const { image, port, replicas, rootPassword, storage } = db.spec
  const labels = labelsOf(db)
  return {
    metadata: metadataOf(db),
    spec: {
      replicas,
      serviceName: db.metadata.name,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'mariadb',
              image,
              args: [`--port=${port}`],
              env: [{ name: 'MARIADB_ROOT_PASSWORD', valueFrom: { secretKeyRef: { ...rootPassword } } }],
              ports: [{ name: 'mysql', containerPort: port }],
              readinessProbe: { tcpSocket: { port: 'mysql' } },
              volumeMounts: [{ name: 'data', mountPath: '/var/lib/mysql' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', labels },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: String(storage) } } },
        },
      ],
    },
  }
}

/** The labels of all that belongs to the database, the claims of its data included. */
export function labelsOf(db: MariaDB) {
  return { 'app.kubernetes.io/name': 'mariadb', 'app.kubernetes.io/instance': db.metadata.name }
}

function metadataOf(db: MariaDB) {
  const { namespace, name } = db.metadata
  return { namespace, name, labels: labelsOf(db) }
}
