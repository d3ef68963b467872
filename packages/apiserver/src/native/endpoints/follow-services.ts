import { collectionOf, loadWrites, ownWrites, type Registry } from '../../registry/index.ts'

/** Deletes the Endpoints of a deleted Service, which have the same name. */
export function followServices(registry: Registry): void {
  registry.observe(({ resource, key, entry }) => {
    if (entry || collectionOf(resource) !== '/services') return
    const endpoints = registry.catalogue.find('', 'v1', 'endpoints')
    if (!endpoints || !registry.get(endpoints, key)) return
    registry.soon('the endpoints of a service that is gone', async () => {
      const loading = loadWrites(registry)
      if (loading) await loading
      const [namespace, name = ''] = key.split('/')
      if (!registry.get(endpoints, key)) return
      ownWrites.get().deleteObject(registry, { resource: endpoints, namespace, name }, {})
    })
  })
}
