import { controllerReference, type ApplyOf } from 'homeostat'
import type { CoreV1, Deployment, Secret, Service } from 'homeostat/kinds'
import type { VisitorsApp } from './visitors-app.ts'

/** A part of the site: some Pods, and where they are reached. */
export interface Tier {
  readonly name: 'database' | 'backend' | 'frontend'
  readonly deployment: ApplyOf<typeof Deployment>
  readonly service: ApplyOf<typeof Service>
}

/** The tiers in the order in which they start: each needs the one before it. */
export function tiersOf(app: VisitorsApp): readonly Tier[] {
  const { name } = app.metadata
  const secret = (key: string) => ({ valueFrom: { secretKeyRef: { name: `${name}-auth`, key } } })
  return [
    tier(app, 'database', 1, {
      image: 'mysql:5.7',
      ports: [{ name: 'mysql', containerPort: 3306 }],
      env: [
        { name: 'MYSQL_RANDOM_ROOT_PASSWORD', value: 'yes' },
        { name: 'MYSQL_DATABASE', value: 'visitors' },
        { name: 'MYSQL_USER', ...secret('username') },
        { name: 'MYSQL_PASSWORD', ...secret('password') },
      ],
    }),
    tier(app, 'backend', app.spec.size, {
      image: 'jdob/visitors-service:1.0.0',
      ports: [{ name: 'http', containerPort: 8000 }],
      env: [
        { name: 'MYSQL_SERVICE_HOST', value: `${name}-database` },
        { name: 'MYSQL_DATABASE', value: 'visitors' },
        { name: 'MYSQL_USERNAME', ...secret('username') },
        { name: 'MYSQL_PASSWORD', ...secret('password') },
      ],
    }),
    // Without a number of its own: an autoscaler, or `kubectl scale`, decides.
    tier(app, 'frontend', undefined, {
      image: 'jdob/visitors-webui:1.0.0',
      ports: [{ name: 'http', containerPort: 3000 }],
      env: [
        { name: 'REACT_APP_TITLE', value: app.spec.title },
        { name: 'BACKEND_SERVICE_HOST', value: `${name}-backend` },
      ],
    }),
  ]
}

function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** The credentials by which the back end knows the database. The password is made once, at random: no person needs to know it. */
export function credentials(current: Secret['data'] = {}): NonNullable<Secret['data']> {
  return {
    username: btoa('visitors'),
    password: current['password'] ?? btoa(randomText()),
  }
}

function tier(
  app: VisitorsApp,
  name: Tier['name'],
  replicas: number | undefined,
  container: Omit<CoreV1.Container, 'name'> & { ports: [CoreV1.ContainerPort] },
): Tier {
  const labels = { app: 'visitors', visitorssite_cr: app.metadata.name, tier: name }
  const [{ name: targetPort, containerPort: port }] = container.ports
  return {
    name,
    deployment: {
      metadata: metadataOf(app, name),
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name, readinessProbe: { tcpSocket: { port } }, ...container }] },
        },
      },
    },
    service: {
      metadata: metadataOf(app, name),
      spec: { selector: labels, ports: [{ port, targetPort, protocol: 'TCP' }] },
    },
  }
}

/** The key of a part of the site. */
export function keyOf(app: VisitorsApp, part: Tier['name'] | 'auth') {
  const { namespace, name } = app.metadata
  return { namespace, name: `${name}-${part}` }
}

function metadataOf(app: VisitorsApp, part: Tier['name']) {
  return { ...keyOf(app, part), ownerReferences: [controllerReference(app)] }
}
