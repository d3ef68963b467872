/** The first image of every template. Others tell Pods of later templates. */
const IMAGE = 'app:1'

const LABELS = { app: 'web' }

/** A Pod template with one container `app`. */
export function template(
  rest: { labels?: Record<string, string>; image?: string; spec?: object } = {},
): object {
  const { labels = LABELS, image = IMAGE, spec = {} } = rest
  return {
    metadata: { labels },
    spec: { containers: [{ name: 'app', image }], automountServiceAccountToken: false, ...spec },
  }
}

export function deployment(spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: LABELS },
    spec: { replicas: 2, selector: { matchLabels: LABELS }, template: template(), ...spec },
  }
}

/** The strategy of a rolling update. */
export function rolling(maxSurge: number | string, maxUnavailable: number | string): object {
  return { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }
}

export function replicaSet(spec: object = {}, name = 'web'): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, labels: LABELS },
    spec: { replicas: 2, selector: { matchLabels: LABELS }, template: template(), ...spec },
  }
}

export function statefulSet(spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 2,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: template({ labels: { app: 'db' } }),
      ...spec,
    },
  }
}

/** A DaemonSet that no node is for: it has revisions, and no Pods. */
export function daemonSet(spec: object = {}): object {
  const labels = { app: 'agent' }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: labels },
      template: template({ labels, spec: { nodeSelector: { 'example.com/for': '{ns}' } } }),
      ...spec,
    },
  }
}

/** The spec of a Job that runs the image once. */
export function jobSpec(spec: object = {}): object {
  return { template: template({ labels: { app: 'task' }, spec: { restartPolicy: 'Never' } }), ...spec }
}

export function job(spec: object = {}): object {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'task' }, spec: jobSpec(spec) }
}

/** A CronJob that starts a Job every minute. */
export function cronJob(spec: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec() }, ...spec },
  }
}

export function service(spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: LABELS, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  }
}

export function pod(name: string, rest: { labels?: Record<string, string>; spec?: object } = {}): object {
  const { labels = LABELS, spec = {} } = rest
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'app', image: IMAGE }], automountServiceAccountToken: false, ...spec },
  }
}

/** A ConfigMap, perhaps with owners. */
export function configMap(name: string, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } }
}

/** An owner reference to an object that was seen before. */
export function ownedBy(apiVersion: string, kind: string, name: string, rest: object = {}): object {
  return { apiVersion, kind, name, uid: `{uid ${kind}/${name}}`, ...rest }
}

/** A volume of the scenario's own storage class. */
export function volume(name: string, spec: { storage: string } & Record<string, unknown>): object {
  const { storage, ...rest } = spec
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `{ns}-${name}` },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      storageClassName: '{ns}',
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/nowhere' },
      ...rest,
    },
  }
}

/** A claim of the scenario's own storage class. */
export function claim(name: string, storage: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '{ns}',
      resources: { requests: { storage } },
      ...spec,
    },
  }
}
