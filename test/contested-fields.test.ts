import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  controllerReference,
  createLogger,
  createOrPatch,
  createOrUpdate,
  defineKind,
  namespacedClient,
  schema as s,
  SystemClock,
  TerminalError,
  type Client,
  type Controller,
  type Reconcile,
} from 'homeostat'
import { ConfigMap, Deployment, Event } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'

const Site = defineKind({
  group: 'contest.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ replicas: s.integer() }),
  status: s.object({ seen: s.integer().optional() }),
})
type Site = NonNullable<Awaited<ReturnType<typeof readSite>>>

const namespace = 'default'
const key = { namespace, name: 'web' }
const labels = { app: 'web' }
const SECRET = 'private-value'

const readSite = (client: Client) => client.get(Site, key)

function deploymentOf(site: Site) {
  return {
    metadata: { ...key, ownerReferences: [controllerReference(site)] },
    spec: {
      replicas: site.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  }
}

/** A controller of Sites that brings its children to what they should be. */
function siteController(bring: (client: Client, site: Site) => Promise<unknown>): Controller {
  return controller('site')
    .for(Site)
    .owns(Deployment)
    .owns(ConfigMap)
    .reconcile(async (request, { client }) => {
      const site = await client.get(Site, request)
      if (site) await bring(client, site)
    })
}

async function start(...controllers: Controller[]) {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({
    clock: new SystemClock(),
    format: 'json',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  })
  const test = await OperatorTest.start({ kinds: [Site], rights: 'all', controllers, logger })
  await test.client.create(Site, { metadata: key, spec: { replicas: 2 } })
  await test.settle()
  return {
    test,
    reconciles: () => test.reports.filter(({ controller }) => controller === 'site').length,
    warnings: () => lines.filter(({ level }) => level === 'warn'),
    events: async (reason: string) =>
      (await test.client.list(Event, { namespace })).filter((event) => event.reason === reason),
    [Symbol.asyncDispose]: () => test.close(),
  }
}

const scale = (client: Client, replicas: number, fieldManager: string) =>
  client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas } } }, { fieldManager })

describe('an autoscaler that writes a number that the operator applies, every 15 s for an hour', () => {
  it.each<[string, (client: Client, site: Site) => Promise<unknown>]>([
    ['apply', (client, site) => client.apply(Deployment, deploymentOf(site))],
    [
      'createOrUpdate',
      (client, site) =>
        createOrUpdate(client, Deployment, key, (draft) => void Object.assign(draft, fill(draft, site))),
    ],
    [
      'createOrPatch of a client that is kept to a namespace',
      (client, site) =>
        createOrPatch(
          namespacedClient(client, namespace),
          Deployment,
          key,
          (draft) => void Object.assign(draft, fill(draft, site)),
        ),
    ],
  ])('is reported and stays cheap, by %s', async (_, bring) => {
    await using running = await start(siteController(bring))
    const { test } = running
    const [before, written] = [running.reconciles(), test.environment.writes.length]
    for (let time = 0; time < 240; time++) {
      await scale(test.client, 5, 'autoscaler')
      await test.advance('15s')
    }
    const sent = test.environment.writes.slice(written).filter(({ userAgent }) => userAgent === 'operator')
    // Without delays each of the 240 writes costs two reconciles and one write.
    expect(running.reconciles() - before).toBeLessThan(80)
    expect(sent.filter(({ resource }) => resource === 'deployments').length).toBeLessThan(80)
    expect(sent.filter(({ resource }) => resource === 'events').length).toBeLessThan(20)

    const [event, ...more] = await running.events('FieldContested')
    expect(more).toEqual([])
    const { uid } = (await test.client.getOrThrow(Site, key)).metadata
    expect(event).toMatchObject({ type: 'Warning', regarding: { kind: 'Site', name: 'web', uid } })
    expect(event?.note).toBe(
      'autoscaler keeps changing spec.replicas of Deployment default/web, and site keeps changing it back. Leave the field out of what site writes, or stop autoscaler from writing it. Until then events reconcile this object less often.',
    )
    const warnings = running.warnings()
    expect(warnings.length).toBeGreaterThan(1)
    expect(warnings.length).toBeLessThanOrEqual(12)
    expect(warnings[0]).toMatchObject({
      controller: 'site',
      name: 'web',
      object: key,
      fields: ['spec.replicas'],
      manager: 'site',
      otherManager: 'autoscaler',
      times: 4,
      message: event?.note,
    })

    // The fight is over: the object is healed, and an edit is healed at once again when it has been quiet.
    await test.advance('30m')
    expect((await test.client.getOrThrow(Deployment, key)).spec.replicas).toBe(2)
    await scale(test.client, 7, 'kubectl')
    await test.settle()
    expect((await test.client.getOrThrow(Deployment, key)).spec.replicas).toBe(2)
  })
})

describe('a controller that answers each write at once', () => {
  const writesBack = (change: (client: Client) => Promise<unknown>): Controller =>
    controller('rival')
      .for(ConfigMap)
      .reconcile(async (request, { client }) => {
        if (request.name === 'web') await change(client)
      })
  const applyText = siteController((client, site) =>
    client.apply(ConfigMap, {
      metadata: { ...key, ownerReferences: [controllerReference(site)] },
      data: { text: SECRET, other: 'x' },
    }),
  )

  it.each([
    ['sets a field', { data: { text: 'theirs' } }, 'rival keeps changing data.text'],
    ['removes a field', { data: { text: null } }, 'A writer that managed fields do not name'],
  ])('and %s makes no hot loop, and is reported without values', async (_, body, note) => {
    await using running = await start(
      applyText,
      writesBack((client) => client.patch(ConfigMap, key, { type: 'merge', body })),
    )
    const { test } = running
    await test.advance('1h')
    expect(running.reconciles()).toBeLessThan(90)
    const [event] = await running.events('FieldContested')
    expect(event?.note).toContain(note)
    expect(event?.note).toContain('data.text of ConfigMap default/web')
    expect(JSON.stringify([event, running.warnings()])).not.toContain(SECRET)
  })

  it('of a status makes no hot loop, and is reported', async () => {
    const rival = controller('rival')
      .for(Site)
      .reconcile(async (_, { client }) => {
        const status = { status: { seen: 9 } }
        await client.status.patch(Site, key, { type: 'merge', body: status }, { fieldManager: 'rival' })
      })
    await using running = await start(
      siteController((client) => client.status.apply(Site, key, { seen: 1 })),
      rival,
    )
    await running.test.advance('1h')
    expect(running.reconciles()).toBeLessThan(130)
    const [event] = await running.events('FieldContested')
    expect(event?.note).toContain('rival keeps changing status.seen of Site default/web')
  })

  it('does not delay another object of the same operator', async () => {
    const other = { namespace, name: 'other' }
    const perSite = controller('site')
      .for(Site)
      .owns(ConfigMap)
      .reconcile(async (request, { client }) => {
        const site = await client.get(Site, request)
        if (!site) return
        const metadata = { ...request, ownerReferences: [controllerReference(site)] }
        await client.apply(ConfigMap, { metadata, data: { replicas: `${site.spec.replicas}` } })
      })
    const body = { data: { replicas: 'theirs' } }
    const rival = writesBack((client) => client.patch(ConfigMap, key, { type: 'merge', body }))
    await using running = await start(perSite, rival)
    const { test } = running
    await test.advance('10m')
    await test.client.create(Site, { metadata: other, spec: { replicas: 1 } })
    await test.settle()
    await test.client.patch(Site, other, { type: 'merge', body: { spec: { replicas: 3 } } })
    await test.settle()
    expect((await test.client.getOrThrow(ConfigMap, other)).data).toEqual({ replicas: '3' })
  })
})

describe('no contest is', () => {
  it('a single edit that is healed, or several of different fields and managers', async () => {
    await using running = await start(
      siteController((client, site) => client.apply(Deployment, deploymentOf(site))),
    )
    const { test } = running
    for (const manager of ['kubectl', 'kubectl-edit', 'kubectl-patch', 'kubectl']) {
      await scale(test.client, 5, manager)
      await test.settle()
      expect((await test.client.getOrThrow(Deployment, key)).spec.replicas).toBe(2)
    }
    expect([await running.events('FieldContested'), running.warnings()]).toEqual([[], []])
  })

  it('a field whose wanted value the operator changes itself', async () => {
    await using running = await start(
      siteController((client, site) => client.apply(Deployment, deploymentOf(site))),
    )
    const { test } = running
    for (let replicas = 0; replicas < 20; replicas++) {
      await test.client.patch(Site, key, { type: 'merge', body: { spec: { replicas: replicas % 2 } } })
      await test.settle()
    }
    expect([await running.events('FieldContested'), running.warnings()]).toEqual([[], []])
  })
})

describe('a reconcile that cannot go on is told by an event on its object', () => {
  const failing = (reconcile: Reconcile): Controller => controller('site').for(Site).reconcile(reconcile)
  const stale = async (client: Client) => {
    const site = await client.live.getOrThrow(Site, key)
    const metadata = { ...site.metadata, resourceVersion: '1' }
    await client.update(Site, { ...site, metadata })
  }

  it.each<[string, Reconcile, string]>([
    [
      'when another manager holds a field that it does not force',
      async (_, { client }) => {
        const site = await client.getOrThrow(Site, key)
        await client.apply(Deployment, deploymentOf(site), { fieldManager: 'before', force: false })
        await client.apply(
          Deployment,
          { ...deploymentOf({ ...site, spec: { replicas: 9 } }) },
          { force: false },
        )
      },
      'fails again and again: apply of deployments.apps default/web failed: Apply failed with 1 conflict: conflict with "before"',
    ],
    [
      'when each write loses its race',
      async (_, { client }) => stale(client),
      'fails again and again: update of sites.contest.example.com default/web was answered with 409 (API_CONFLICT). It is tried again with growing delays.',
    ],
    [
      'when it throws',
      () => {
        throw new TypeError(SECRET)
      },
      'The reconcile by site fails again and again: TypeError. It is tried again with growing delays. The log of site says more.',
    ],
    [
      'when it fails for good',
      () => {
        throw new TerminalError(SECRET)
      },
      'The reconcile by site failed: TERMINAL. It is not tried again until something changes.',
    ],
  ])('%s', async (_, reconcile, note) => {
    await using running = await start(failing(reconcile))
    await running.test.advance('20s')
    const [event, ...more] = await running.events('ReconcileFailed')
    expect(more).toEqual([])
    const { uid } = (await running.test.client.getOrThrow(Site, key)).metadata
    expect(event).toMatchObject({ type: 'Warning', regarding: { kind: 'Site', name: 'web', uid } })
    expect(event?.note).toContain(note)
    expect(event?.note).not.toContain(SECRET)
  })

  it('when it was given up', async () => {
    const never = Promise.withResolvers<void>()
    const hanging = controller('site')
      .for(Site)
      .options({ reconcileTimeout: '10s' })
      .reconcile(() => never.promise)
    await using running = await start(hanging)
    await running.test.advance('20s')
    const [event] = await running.events('ReconcileFailed')
    expect(event?.note).toContain(
      'The reconcile by site failed: RECONCILE_ABANDONED. It has not ended after it was aborted',
    )
    never.resolve()
  })

  it('and not where it has recorded a warning itself', async () => {
    await using running = await start(
      failing(async (_, { client, events }) => {
        const site = await client.getOrThrow(Site, key)
        events.warning(site, 'NoDatabase', 'there is no database')
        throw new Error('no database')
      }),
    )
    await running.test.advance('1m')
    expect(await running.events('ReconcileFailed')).toEqual([])
    expect(await running.events('NoDatabase')).toHaveLength(1)
  })

  it('and not where it fails a few times', async () => {
    let failures = 0
    await using running = await start(
      failing(() => {
        if (failures++ < 4) throw new Error('not yet')
      }),
    )
    await running.test.advance('1m')
    expect(failures).toBe(5)
    expect(await running.events('ReconcileFailed')).toEqual([])
  })
})

/** The fields that `createOrUpdate` is to set on a draft. */
function fill(draft: { metadata?: object; spec?: object }, site: Site): object {
  const { metadata, spec } = deploymentOf(site)
  return { metadata: { ...draft.metadata, ...metadata }, spec: { ...draft.spec, ...spec } }
}
