import { controllerReference, keyOf } from 'homeostat'
import { ConfigMap, Deployment, Secret } from 'homeostat/kinds'
import { base, childOf, deploymentOf, Site, testPairs } from './site.ts'

testPairs([
  {
    found: 'late-pods',
    wrong: () =>
      // #region late-pods-wrong
      base()
        .writes(Deployment, 'apply')
        .reads(Deployment)
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (!site) return
          await client.apply(Deployment, deploymentOf(site))
          const deployment = await client.live.get(Deployment, key)
          if (!deployment?.status.availableReplicas) return
          await client.apply(ConfigMap, { metadata: childOf(site), data: { served: 'yes' } })
        }),
    // #endregion
    right: () =>
      // #region late-pods-right
      base()
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (!site) return
          const { status } = await client.apply(Deployment, deploymentOf(site))
          if (!status.availableReplicas) return
          await client.apply(ConfigMap, { metadata: childOf(site), data: { served: 'yes' } })
        }),
    // #endregion
  },
  {
    found: 'reference',
    wrong: () =>
      // #region reference-wrong
      base()
        .reads(Secret)
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (!site?.spec.secret) return
          const login = await client.live.get(Secret, { ...key, name: site.spec.secret })
          const data = { user: login?.data?.['user'] ?? '' }
          await client.apply(ConfigMap, { metadata: childOf(site), data })
        }),
    // #endregion
    right: () =>
      // #region reference-right
      base()
        .watches(Secret, async ({ metadata: { namespace, name } }, { client }) => {
          const sites = await client.list(Site, { namespace })
          return sites.filter(({ spec }) => spec.secret === name).map((site) => keyOf(site))
        })
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (!site?.spec.secret) return
          const login = await client.get(Secret, { ...key, name: site.spec.secret })
          const data = { user: login?.data?.['user'] ?? '' }
          await client.apply(ConfigMap, { metadata: childOf(site), data })
        }),
    // #endregion
  },
  {
    found: 'downtime',
    wrong: () => {
      // #region downtime-wrong
      const last = new Map<string, string>()
      return base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const name = `${key.name}-${site.spec.text}`
        const before = last.get(site.metadata.uid)
        if (before && before !== name) await client.delete(ConfigMap, { ...key, name: before })
        last.set(site.metadata.uid, name)
        await client.apply(ConfigMap, { metadata: { ...childOf(site), name } })
      })
      // #endregion
    },
    right: () =>
      // #region downtime-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const name = `${key.name}-${site.spec.text}`
        for (const { metadata } of await client.list(ConfigMap, { namespace: key.namespace })) {
          const isOwn = metadata.ownerReferences?.some(({ uid }) => uid === site.metadata.uid)
          if (isOwn && metadata.name !== name) await client.delete(ConfigMap, metadata)
        }
        await client.apply(ConfigMap, { metadata: { ...childOf(site), name } })
      }),
    // #endregion
  },
  {
    found: 'combination',
    wrong: () => {
      // #region combination-wrong
      let failures = 0
      return base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        try {
          await client.apply(ConfigMap, { metadata: childOf(site) })
          await client.apply(ConfigMap, { metadata: childOf(site, '-log') })
        } catch (error) {
          failures++
          if (failures < 2) throw error
        }
      })
      // #endregion
    },
    right: () =>
      // #region combination-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(ConfigMap, { metadata: childOf(site) })
        await client.apply(ConfigMap, { metadata: childOf(site, '-log') })
      }),
    // #endregion
  },
  {
    found: 'interleaving',
    wrong: () => {
      // #region interleaving-wrong
      let site: Site | undefined
      return base()
        .options({ maxConcurrentReconciles: 4 })
        .reconcile(async (key, { client }) => {
          site = await client.get(Site, key)
          const child = await client.live.get(ConfigMap, key)
          if (!site || child?.data?.['text'] === site.spec.text) return
          const ownerReferences = [controllerReference(site)]
          await client.apply(ConfigMap, {
            metadata: { ...key, ownerReferences },
            data: { text: site.spec.text },
          })
        })
      // #endregion
    },
    right: () =>
      // #region interleaving-right
      base()
        .options({ maxConcurrentReconciles: 4 })
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (!site) return
          await client.apply(ConfigMap, { metadata: childOf(site), data: { text: site.spec.text } })
        }),
    // #endregion
  },
  {
    found: 'invariant',
    tries: ['history'],
    options: {
      invariants: {
        'one page': (world) => (world.list(ConfigMap).length > 1 ? 'two pages are served' : undefined),
      },
    },
    wrong: () =>
      // #region invariant-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const name = `${key.name}-${site.spec.text}`
        await client.apply(ConfigMap, { metadata: { ...childOf(site), name } })
        for (const { metadata } of await client.live.list(ConfigMap, { namespace: key.namespace }))
          if (metadata.name !== name) await client.delete(ConfigMap, metadata)
      }),
    // #endregion
    right: () =>
      // #region invariant-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const name = `${key.name}-${site.spec.text}`
        for (const { metadata } of await client.live.list(ConfigMap, { namespace: key.namespace }))
          if (metadata.name !== name) await client.delete(ConfigMap, metadata)
        await client.apply(ConfigMap, { metadata: { ...childOf(site), name } })
      }),
    // #endregion
  },
])
