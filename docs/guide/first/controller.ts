import { controller, controllerReference } from 'homeostat'
import { ConfigMap, Deployment, Service } from 'homeostat/kinds'
import { MarkdownView } from './markdown-view.ts'

export const markdownView = controller('markdownview')
  .for(MarkdownView)
  .owns(ConfigMap)
  .owns(Deployment)
  .owns(Service)
  .writes(ConfigMap, 'apply')
  .writes(Deployment, 'apply')
  .writes(Service, 'apply')
  .writes(MarkdownView, 'status.apply')
  .reconcile(async (request, { client }) => {
    const view = await client.get(MarkdownView, request)
    if (!view || view.metadata.deletionTimestamp) return

    const labels = { app: 'viewer', view: request.name }
    const metadata = { ...request, labels, ownerReferences: [controllerReference(view)] }

    await client.apply(ConfigMap, { metadata, data: { ...view.spec.markdowns } })
    const deployment = await client.apply(Deployment, {
      metadata,
      spec: {
        replicas: view.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'viewer',
                image: 'peaceiris/mdbook:latest',
                args: ['serve', '--hostname', '0.0.0.0'],
                ports: [{ name: 'http', containerPort: 3000 }],
                readinessProbe: { httpGet: { path: '/', port: 'http' } },
                volumeMounts: [{ name: 'book', mountPath: '/book/src' }],
              },
            ],
            volumes: [{ name: 'book', configMap: { name: request.name } }],
          },
        },
      },
    })
    await client.apply(Service, {
      metadata,
      spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
    })
    await client.status.apply(MarkdownView, request, { ready: deployment.status?.readyReplicas ?? 0 })
  })
