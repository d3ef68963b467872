import { controllerReference, createOrUpdate, setControllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { base, buckets, childOf, FINALIZER, Site, testPairs } from './site.ts'

testPairs([
  {
    found: 'foreign-field-lost',
    wrong: () =>
      // #region foreign-field-lost-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const child = await client.apply(ConfigMap, { metadata: childOf(site) })
        const labels = { site: key.name }
        if (JSON.stringify(child.metadata.labels) === JSON.stringify(labels)) return
        await client.update(ConfigMap, { ...child, metadata: { ...child.metadata, labels } })
      }),
    // #endregion
    right: () =>
      // #region foreign-field-lost-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(ConfigMap, { metadata: { ...childOf(site), labels: { site: key.name } } })
      }),
    // #endregion
  },
  {
    found: 'deletion-stuck',
    tries: ['left-behind'],
    wrong: () =>
      // #region deletion-stuck-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const set = (finalizers: string[] | null) =>
          client.patch(Site, key, { type: 'merge', body: { metadata: { finalizers } } })
        if (site.metadata.deletionTimestamp) {
          if (!(await client.live.get(ConfigMap, key))) return
          await client.delete(ConfigMap, key)
          await set(null)
          return
        }
        if (!site.metadata.finalizers) await set([FINALIZER])
        await client.apply(ConfigMap, { metadata: childOf(site) })
      }),
    // #endregion
    right: () =>
      // #region deletion-stuck-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const set = (finalizers: string[] | null) =>
          client.patch(Site, key, { type: 'merge', body: { metadata: { finalizers } } })
        if (site.metadata.deletionTimestamp) {
          if (await client.live.get(ConfigMap, key)) await client.delete(ConfigMap, key)
          await set(null)
          return
        }
        if (!site.metadata.finalizers) await set([FINALIZER])
        await client.apply(ConfigMap, { metadata: childOf(site) })
      }),
    // #endregion
  },
  {
    found: 'recreation',
    wrong: () => {
      // #region recreation-wrong
      const known = new Set<string>()
      return base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site || known.has(key.name)) return
        await client.apply(ConfigMap, { metadata: childOf(site) })
        known.add(key.name)
      })
      // #endregion
    },
    right: () =>
      // #region recreation-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (site) await client.apply(ConfigMap, { metadata: childOf(site) })
      }),
    // #endregion
  },
  {
    found: 'not-isolated',
    wrong: () =>
      // #region not-isolated-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(ConfigMap, { metadata: childOf(site, '-page') })
        for (const { metadata } of await client.list(ConfigMap, { namespace: key.namespace })) {
          const isOld = metadata.name.startsWith(`${key.name}-`) && metadata.name !== `${key.name}-page`
          if (isOld) await client.delete(ConfigMap, metadata)
        }
      }),
    // #endregion
    right: () =>
      // #region not-isolated-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(ConfigMap, { metadata: childOf(site, '-page') })
        for (const { metadata } of await client.list(ConfigMap, { namespace: key.namespace })) {
          const isOwn = metadata.ownerReferences?.some(({ uid }) => uid === site.metadata.uid)
          if (isOwn && metadata.name !== `${key.name}-page`) await client.delete(ConfigMap, metadata)
        }
      }),
    // #endregion
  },
  {
    found: 'takes-over',
    wrong: () =>
      // #region takes-over-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await createOrUpdate(client, ConfigMap, key, (child) => {
          child.metadata.ownerReferences = [controllerReference(site)]
        })
      }),
    // #endregion
    right: () =>
      // #region takes-over-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await createOrUpdate(client, ConfigMap, key, (child) => {
          setControllerReference(site, child)
        })
      }),
    // #endregion
  },
  {
    found: 'external',
    tries: ['left-behind'],
    options: {
      external: [{ name: 'buckets', reset: () => buckets.clear(), read: () => [...buckets] }],
    },
    wrong: () =>
      // #region external-wrong
      base().reconcile(async (key, { client }) => {
        if (await client.get(Site, key)) buckets.add(key.name)
      }),
    // #endregion
    right: () =>
      // #region external-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const set = (finalizers: string[] | null) =>
          client.patch(Site, key, { type: 'merge', body: { metadata: { finalizers } } })
        if (site.metadata.deletionTimestamp) {
          buckets.delete(key.name)
          await set(null)
          return
        }
        if (!site.metadata.finalizers) await set([FINALIZER])
        buckets.add(key.name)
      }),
    // #endregion
  },
])
