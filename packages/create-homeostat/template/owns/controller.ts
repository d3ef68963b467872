import { controller, controllerReference, setCondition } from 'homeostat'
import { ConfigMap, Deployment, Service } from 'homeostat/kinds'
import { MyKind } from './kind.ts'

/** Serves the text of each MyKind: a ConfigMap with the page, a Deployment of servers and a Service. */
export const myKindController = controller('mykind')
  .for(MyKind)
  .owns(ConfigMap)
  .owns(Deployment)
  .owns(Service)
  .writes(ConfigMap, 'apply')
  .writes(Deployment, 'apply')
  .writes(Service, 'apply')
  .writes(MyKind, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const object = await client.get(MyKind, request)
    if (!object || object.metadata.deletionTimestamp) return

    const labels = { 'app.kubernetes.io/name': 'mykind', 'app.kubernetes.io/instance': request.name }
    const metadata = { ...request, labels, ownerReferences: [controllerReference(object)] }
    await client.apply(ConfigMap, { metadata, data: { 'index.html': page(object.spec.text) } })
    const deployment = await client.apply(Deployment, {
      metadata,
      spec: {
        replicas: object.spec.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec(request.name) },
      },
    })
    await client.apply(Service, {
      metadata,
      spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
    })

    const available = deployment.status?.availableReplicas ?? 0
    const isReady = available >= object.spec.replicas
    const ready = {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'Serving' : 'Starting',
      message: `${available} of ${object.spec.replicas} servers are available`,
      observedGeneration: object.metadata.generation,
    } as const
    await client.status.apply(MyKind, request, {
      conditions: setCondition(object.status?.conditions, ready, clock),
    })
  })

function podSpec(configMap: string) {
  return {
    containers: [
      {
        name: 'web',
        image: 'nginx:stable-alpine',
        ports: [{ name: 'http', containerPort: 80 }],
        readinessProbe: { httpGet: { path: '/', port: 'http' } },
        volumeMounts: [{ name: 'page', mountPath: '/usr/share/nginx/html' }],
      },
    ],
    volumes: [{ name: 'page', configMap: { name: configMap } }],
  }
}

function page(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html>\n<meta charset="utf-8">\n<h1>${escaped}</h1>\n`
}
