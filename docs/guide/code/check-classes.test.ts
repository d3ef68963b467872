import { check, textReport, type CheckOptions, type FindingClass } from '@homeostat/check'
import {
  controller,
  controllerReference,
  createOrUpdate,
  defineKind,
  keyOf,
  operator,
  sample,
  schema as s,
  setControllerReference,
  type Controller,
  type ObjectOf,
  type Operator,
} from 'homeostat'
import { ConfigMap, Deployment, Secret } from 'homeostat/kinds'
import { expect, test } from 'vitest'

/** A page that is served. */
const Site = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ text: s.string(), secret: s.string().optional() }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    looks: s.integer().optional(),
  }),
})
type Site = ObjectOf<typeof Site>

const metadata = { name: 'blog', namespace: 'default' }
const secret = sample(Secret, { metadata: { name: 'login', namespace: 'default' }, data: { user: 'YQ==' } })

const base = () =>
  controller('sites')
    .for(Site)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'create', 'update', 'delete', 'createOrUpdate')
    .writes(Site, 'status.patch', 'patch')

/** As `base`, with a Deployment that serves the page. */
const serving = () => base().owns(Deployment).writes(Deployment, 'apply')

/** The metadata of a child of a Site. */
const childOf = (site: Site, suffix = '') => ({
  namespace: site.metadata.namespace,
  name: `${site.metadata.name}${suffix}`,
  ownerReferences: [controllerReference(site)],
})

/** The Deployment of a Site. */
const deploymentOf = (site: Site) => {
  const labels = { site: site.metadata.name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
  return { metadata: childOf(site), spec: { replicas: 1, selector: { matchLabels: labels }, template } }
}

const FINALIZER = 'guide.example.com/bucket'
/** Stands for a system outside of the cluster. */
const buckets = new Set<string>()

interface Pair {
  readonly found: FindingClass
  /** Classes whose trials show it. Default: `found`. */
  readonly tries?: readonly FindingClass[]
  readonly options?: CheckOptions
  readonly wrong: () => Controller
  readonly right: () => Controller
}

const pairs: readonly Pair[] = [
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
]

test.for(pairs)(
  '$found: the wrong reconciler is found, the right one is not',
  { timeout: 120_000 },
  async ({ found, tries = [found], options, wrong, right }) => {
    const spec = { text: 'hello', ...(found === 'reference' && { secret: 'login' }) }
    const samples = [sample(Site, { metadata, spec }), ...(found === 'reference' ? [secret] : [])]
    const checked = (made: () => Controller) =>
      check((): Operator => operator('sites', { controllers: [made()], samples }), {
        ...options,
        only: tries,
      })
    const report = await checked(wrong)
    const classes = report.findings.map((finding) => finding.class)
    expect(classes, textReport(report)).toContain(found)
    const calm = await checked(right)
    expect(calm.findings, textReport(calm)).toEqual([])
  },
)
