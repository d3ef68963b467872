import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { base, childOf, Site, testPairs } from './site.ts'

testPairs([
  {
    found: 'machine-clock',
    wrong: () =>
      // #region machine-clock-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const isNew = Date.now() - Date.parse(site.metadata.creationTimestamp) < 0
        await client.apply(ConfigMap, { metadata: childOf(site), data: { new: String(isNew) } })
      }),
    // #endregion
    right: () =>
      // #region machine-clock-right
      base().reconcile(async (key, { client, clock }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const isNew = clock.now() - Date.parse(site.metadata.creationTimestamp) < 0
        await client.apply(ConfigMap, { metadata: childOf(site), data: { new: String(isNew) } })
      }),
    // #endregion
  },
  {
    found: 'right-not-declared',
    wrong: () =>
      // #region right-not-declared-wrong
      controller('sites')
        .for(Site)
        .owns(ConfigMap)
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (site) await client.apply(ConfigMap, { metadata: childOf(site) })
        }),
    // #endregion
    right: () =>
      // #region right-not-declared-right
      controller('sites')
        .for(Site)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (site) await client.apply(ConfigMap, { metadata: childOf(site) })
        }),
    // #endregion
  },
  {
    found: 'callback-throws',
    wrong: () =>
      // #region callback-throws-wrong
      base()
        .watches(ConfigMap, ({ metadata: { namespace, labels } }) => ({ namespace, name: labels!['site']! }))
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (site) await client.apply(ConfigMap, { metadata: childOf(site) })
        }),
    // #endregion
    right: () =>
      // #region callback-throws-right
      base()
        .watches(ConfigMap, ({ metadata: { namespace, labels } }) =>
          labels?.['site'] === undefined ? [] : { namespace, name: labels['site'] },
        )
        .reconcile(async (key, { client }) => {
          const site = await client.get(Site, key)
          if (site) await client.apply(ConfigMap, { metadata: childOf(site) })
        }),
    // #endregion
  },
])
