import { controller } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import { base, childOf, deploymentOf, serving, Site, testPairs } from './site.ts'

testPairs([
  {
    found: 'endless-loop',
    wrong: () =>
      // #region endless-loop-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const looks = (site.status?.looks ?? 0) + 1
        await client.status.patch(Site, key, { type: 'merge', body: { status: { looks } } })
      }),
    // #endregion
    right: () =>
      // #region endless-loop-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site || site.status?.phase === 'Served') return
        await client.status.patch(Site, key, { type: 'merge', body: { status: { phase: 'Served' } } })
      }),
    // #endregion
  },
  {
    found: 'never-ends',
    wrong: () =>
      // #region never-ends-wrong
      serving().reconcile(async (key, { client, clock }) => {
        const site = await client.get(Site, key)
        if (!site) return
        await client.apply(Deployment, deploymentOf(site))
        while (!(await client.live.get(Deployment, key))?.status.availableReplicas) await clock.sleep(1_000)
      }),
    // #endregion
    right: () =>
      // #region never-ends-right
      serving().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return undefined
        const { status } = await client.apply(Deployment, deploymentOf(site))
        return status.availableReplicas ? undefined : { requeueAfter: '1m' }
      }),
    // #endregion
  },
  {
    found: 'always-fails',
    wrong: () =>
      // #region always-fails-wrong
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const settings = await client.live.getOrThrow(ConfigMap, { ...key, name: `${key.name}-settings` })
        await client.apply(ConfigMap, { metadata: childOf(site), data: settings.data ?? {} })
        await client.apply(ConfigMap, { metadata: childOf(site, '-settings'), data: { color: 'red' } })
      }),
    // #endregion
    right: () =>
      // #region always-fails-right
      base().reconcile(async (key, { client }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const data = { color: 'red' }
        await client.apply(ConfigMap, { metadata: childOf(site, '-settings'), data })
        await client.apply(ConfigMap, { metadata: childOf(site), data })
      }),
    // #endregion
  },
  {
    found: 'writes-at-rest',
    wrong: () =>
      // #region writes-at-rest-wrong
      controller('sites')
        .for(Site)
        .writes(ConfigMap, 'apply')
        .writes(Site, 'finalizers.update')
        .reconcile(async (key, { client, clock }) => {
          const site = await client.get(Site, key)
          if (!site) return
          const token = String(clock.random())
          await client.apply(ConfigMap, { metadata: childOf(site), data: { token } })
        }),
    // #endregion
    right: () =>
      // #region writes-at-rest-right
      base().reconcile(async (key, { client, clock }) => {
        const site = await client.get(Site, key)
        if (!site) return
        const before = await client.live.get(ConfigMap, key)
        const token = before?.data?.['token'] ?? String(clock.random())
        await client.apply(ConfigMap, { metadata: childOf(site), data: { token } })
      }),
    // #endregion
  },
  {
    found: 'growth',
    wrong: () =>
      // #region growth-wrong
      base().reconcile(async (key, { client, clock }) => {
        const site = await client.get(Site, key)
        if (!site) return undefined
        const lines = (await client.live.get(ConfigMap, key))?.data?.['log']?.split('\n') ?? []
        const left = Number(lines.at(-1) ?? 0) + 600_000 - clock.now()
        if (left > 0) return { requeueAfter: left }
        const log = [...lines, String(clock.now())].join('\n')
        await client.apply(ConfigMap, { metadata: childOf(site), data: { log } })
        return { requeueAfter: '10m' }
      }),
    // #endregion
    right: () =>
      // #region growth-right
      base().reconcile(async (key, { client, clock }) => {
        const site = await client.get(Site, key)
        if (!site) return undefined
        const lines = (await client.live.get(ConfigMap, key))?.data?.['log']?.split('\n') ?? []
        const left = Number(lines.at(-1) ?? 0) + 600_000 - clock.now()
        if (left > 0) return { requeueAfter: left }
        const log = [...lines.slice(-4), String(clock.now())].join('\n')
        await client.apply(ConfigMap, { metadata: childOf(site), data: { log } })
        return { requeueAfter: '10m' }
      }),
    // #endregion
  },
])
