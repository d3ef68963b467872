import { ConfigMap, Deployment } from 'homeostat/kinds'
import { base, childOf, deploymentOf, serving, Site, testPairs } from './site.ts'

testPairs([
  {
    found: 'status-ahead',
    wrong: () =>
      // #region status-ahead-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const { generation: observedGeneration } = site.metadata
        if (site.status?.observedGeneration !== observedGeneration)
          await client.status.patch(Site, key, { type: 'merge', body: { status: { observedGeneration } } })
        await client.apply(ConfigMap, { metadata: childOf(site), data: { text: site.spec.text } })
      }),
    // #endregion
    right: () =>
      // #region status-ahead-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(ConfigMap, { metadata: childOf(site), data: { text: site.spec.text } })
        const { generation: observedGeneration } = site.metadata
        if (site.status?.observedGeneration !== observedGeneration)
          await client.status.patch(Site, key, { type: 'merge', body: { status: { observedGeneration } } })
      }),
    // #endregion
  },
  {
    found: 'status-untrue',
    wrong: () =>
      // #region status-untrue-wrong
      serving().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(Deployment, deploymentOf(site))
        if (site.status?.phase === 'Ready') return
        await client.status.patch(Site, key, { type: 'merge', body: { status: { phase: 'Ready' } } })
      }),
    // #endregion
    right: () =>
      // #region status-untrue-right
      serving().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const { status } = await client.apply(Deployment, deploymentOf(site))
        const phase = status.availableReplicas ? 'Ready' : 'Progressing'
        if (site.status?.phase === phase) return
        await client.status.patch(Site, key, { type: 'merge', body: { status: { phase } } })
      }),
    // #endregion
  },
])
