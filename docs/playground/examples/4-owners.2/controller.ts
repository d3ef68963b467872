import { controller, controllerReference, defineKind, schema as s } from 'homeostat'
import { Job } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ times: s.integer().min(0) }),
  status: s.object({ ended: s.integer().optional() }),
})

const ownerOf = (job: Job) => job.metadata.ownerReferences?.find(({ controller }) => controller)?.uid

// The index finds the Jobs of one Greeting. Delete a Job on the right, or edit spec.times.
export const counting = controller('counting')
  .for(Greeting)
  .owns(Job)
  .indexes(Job, { owner: ownerOf })
  .writes(Job, 'apply', 'delete')
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const { namespace, name, uid } = greeting.metadata
    const wanted = Array.from({ length: greeting.spec.times }, (_, index) => `${name}-${index + 1}`)
    const ownerReferences = [controllerReference(greeting)]
    const containers = [{ name: 'greet', image: 'busybox', args: ['echo', 'Hello!'] }]
    for (const each of wanted)
      await client.apply(Job, {
        metadata: { namespace, name: each, ownerReferences },
        spec: { template: { spec: { restartPolicy: 'Never', containers } } },
      })
    const jobs = await client.list(Job, { namespace, fields: { owner: uid } })
    for (const { metadata } of jobs)
      if (!wanted.includes(metadata.name)) await client.delete(Job, metadata, { propagation: 'Background' })
    const ended = jobs.filter(
      ({ metadata, status }) => wanted.includes(metadata.name) && (status?.succeeded ?? 0) > 0,
    )
    await client.status.apply(Greeting, request, { ended: ended.length })
  })
