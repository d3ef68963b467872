import { deployment, deployments } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { create, merge, remove } from '../../steps.ts'
import { of, selector, template } from './native-objects.ts'

/** Deployments, Jobs and CronJobs. */
export const workloads: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'workloads are filled in',
    create(deployments, deployment('a')),
    create(deployments, deployment('b', { strategy: { type: 'Recreate' }, replicas: 0 })),
    create('/apis/apps/v1/~/replicasets', of('apps/v1', 'ReplicaSet', 'a', { spec: { selector, template } })),
    create(
      '/apis/apps/v1/~/statefulsets',
      of('apps/v1', 'StatefulSet', 'a', { spec: { selector, template, serviceName: 's' } }),
    ),
    create('/apis/apps/v1/~/daemonsets', of('apps/v1', 'DaemonSet', 'a', { spec: { selector, template } })),
  ),
  scenario(
    'B native kinds',
    'workloads are refused',
    create(deployments, deployment('a', { selector: { matchLabels: { app: 'other' } } })),
    create(deployments, deployment('a', { selector: null })),
    create(deployments, deployment('a', { replicas: -1 })),
    create(deployments, deployment('a', { strategy: { type: 'Sudden' } })),
    create(deployments, deployment('a', { template: { metadata: { labels: { app: 'web' } }, spec: {} } })),
    create(deployments, deployment('a', { strategy: { type: 'Recreate', rollingUpdate: {} } })),
  ),
  scenario(
    'B native kinds',
    'workloads keep their selector',
    create(deployments, deployment('a')),
    merge(`${deployments}/a`, {
      spec: { selector: { matchLabels: { x: '1' } }, template: { metadata: { labels: { x: '1' } } } },
    }),
    create(
      '/apis/apps/v1/~/statefulsets',
      of('apps/v1', 'StatefulSet', 'a', { spec: { selector, template, serviceName: 's' } }),
    ),
    merge('/apis/apps/v1/~/statefulsets/a', { spec: { serviceName: 'other' } }),
  ),
  scenario(
    'B native kinds',
    'Jobs',
    create(
      '/apis/batch/v1/~/jobs',
      of('batch/v1', 'Job', 'a', {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
      }),
    ),
    create(
      '/apis/batch/v1/~/jobs',
      of('batch/v1', 'Job', 'b', {
        spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }] } } },
      }),
    ),
    merge('/apis/batch/v1/~/jobs/a', { spec: { completions: 5 } }),
    merge('/apis/batch/v1/~/jobs/a', { spec: { suspend: true } }),
    remove('/apis/batch/v1/~/jobs/a', undefined),
  ),
  scenario(
    'B native kinds',
    'CronJobs',
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'a', {
        spec: {
          schedule: '*/5 * * * *',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'b', {
        spec: {
          schedule: 'often',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'c', {
        spec: {
          schedule: '0 0 * * *',
          timeZone: 'Nowhere/None',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
  ),
]
