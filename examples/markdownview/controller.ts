import {
  controller,
  controllerReference,
  createOrUpdate,
  setCondition,
  setControllerReference,
  type ApplyOf,
  type Clock,
} from 'homeostat'
import { ConfigMap, Deployment, Service } from 'homeostat/kinds'
import { MarkdownView } from './markdown-view.ts'

/** The states of a view. Exactly one of them is true: it stands in the STATUS column. */
const STATES = ['NotReady', 'Available', 'Healthy'] as const

/** Serves each MarkdownView by a ConfigMap with its files, a Deployment of viewers and a Service. */
export const markdownView = controller('markdownview')
  .for(MarkdownView)
  .owns(ConfigMap)
  .owns(Deployment)
  .owns(Service)
  .writes(MarkdownView, 'status.apply')
  .writes(ConfigMap, 'createOrUpdate')
  .writes(Deployment, 'apply')
  .writes(Service, 'apply')
  .reconcile(async (request, { client, clock, metrics }) => {
    const gauge = metrics.gauge(
      'markdownview_status',
      'Whether a MarkdownView is in a state: 1 if it is, 0 if not.',
    )
    const view = await client.get(MarkdownView, request)
    if (!view) {
      gauge.remove({ ...request })
      return
    }
    if (view.metadata.deletionTimestamp) return

    await createOrUpdate(
      client,
      ConfigMap,
      { ...request, name: `markdowns-${view.metadata.name}` },
      (configMap) => {
        configMap.data = { ...view.spec.markdowns }
        setControllerReference(view, configMap)
      },
    )
    const deployment = await client.apply(Deployment, viewerDeployment(view))
    await client.apply(Service, viewerService(view))

    const state = stateOf(view, deployment)
    await client.status.apply(MarkdownView, request, { conditions: conditionsOf(view, state, clock) })
    for (const each of STATES) gauge.set(each === state ? 1 : 0, { ...request, state: each })
  })

function viewerDeployment(view: MarkdownView): ApplyOf<typeof Deployment> {
  const labels = labelsOf(view)
  const probe = { httpGet: { path: '/', port: 'http' } }
  return {
    metadata: viewerMetadata(view),
    spec: {
      replicas: view.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'mdbook',
              image: view.spec.viewerImage,
              imagePullPolicy: 'IfNotPresent',
              command: ['mdbook'],
              args: ['serve', '--hostname', '0.0.0.0'],
              volumeMounts: [{ name: 'markdowns', mountPath: '/book/src' }],
              ports: [{ name: 'http', containerPort: 3000, protocol: 'TCP' }],
              readinessProbe: probe,
              livenessProbe: probe,
            },
          ],
          volumes: [{ name: 'markdowns', configMap: { name: `markdowns-${view.metadata.name}` } }],
        },
      },
    },
  }
}

function viewerService(view: MarkdownView): ApplyOf<typeof Service> {
  return {
    metadata: viewerMetadata(view),
    spec: {
      type: 'ClusterIP',
      selector: labelsOf(view),
      ports: [{ protocol: 'TCP', port: 80, targetPort: 'http' }],
    },
  }
}

function viewerMetadata(view: MarkdownView) {
  return {
    namespace: view.metadata.namespace,
    name: `viewer-${view.metadata.name}`,
    labels: labelsOf(view),
    ownerReferences: [controllerReference(view)],
  }
}

function labelsOf(view: MarkdownView) {
  return {
    'app.kubernetes.io/name': 'mdbook',
    'app.kubernetes.io/instance': view.metadata.name,
    'app.kubernetes.io/created-by': 'markdown-viewer-controller',
  }
}

function stateOf(view: MarkdownView, deployment: Deployment): (typeof STATES)[number] {
  const available = deployment.status?.availableReplicas ?? 0
  if (available === 0) return 'NotReady'
  return available < view.spec.replicas ? 'Available' : 'Healthy'
}

function conditionsOf(view: MarkdownView, state: (typeof STATES)[number], clock: Clock) {
  return STATES.reduce(
    (conditions, type) =>
      setCondition(
        conditions,
        { type, status: type === state ? 'True' : 'False', reason: `Viewer${state}`, message: '' },
        clock,
      ),
    view.status?.conditions ?? [],
  )
}
