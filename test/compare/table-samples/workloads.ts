import type { TableSample } from '../table-sample.ts'
import { apps, selector, template } from './objects.ts'

export const workloads: TableSample[] = [
  apps(
    'deployment',
    'deployments',
    { spec: { replicas: 3, selector, template: template('web') } },
    { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
  ),
  apps('deployment-new', 'deployments', {
    spec: { selector: { matchLabels: { app: 'web' } }, template: template('web') },
  }),
  apps(
    'replicaset',
    'replicasets',
    { spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web') } },
    { replicas: 2, readyReplicas: 1 },
  ),
  {
    title: 'job-complete',
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    namespaced: true,
    object: {
      spec: {
        completions: 2,
        manualSelector: true,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...template('web').spec, restartPolicy: 'Never' },
        },
      },
    },
    status: {
      succeeded: 2,
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:05:30Z',
      conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' })),
    },
  },
  {
    title: 'job-running',
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    namespaced: true,
    object: {
      spec: {
        parallelism: 3,
        manualSelector: true,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...template('web').spec, restartPolicy: 'Never' },
        },
      },
    },
  },
]
