import { check, textReport, type FindingClass } from '@homeostat/check'
import {
  controller,
  controllerReference,
  createOrUpdate,
  operator,
  sample,
  setControllerReference,
  type Controller,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const samples = [
  sample(Greeting, { metadata: { name: 'hello', namespace: 'default' }, spec: { name: 'moon', times: 2 } }),
]

const base = () =>
  controller('greetings')
    .for(Greeting)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'create', 'delete', 'createOrUpdate')

/** The metadata of a ConfigMap of a Greeting. */
const childOf = (greeting: Greeting, suffix = '') => ({
  namespace: greeting.metadata.namespace,
  name: `${greeting.metadata.name}${suffix}`,
  ownerReferences: [controllerReference(greeting)],
})

interface Pair {
  readonly found: FindingClass
  readonly wrong: () => Controller
  readonly right: () => Controller
}

const pairs: readonly Pair[] = [
  {
    found: 'crash',
    wrong: () =>
      // #region crash-wrong
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting || (await client.live.get(ConfigMap, key))) return
        await client.apply(ConfigMap, { metadata: childOf(greeting), data: { for: greeting.spec.name } })
        await client.apply(ConfigMap, { metadata: childOf(greeting, '-log') })
      }),
    // #endregion
    right: () =>
      // #region crash-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        await client.apply(ConfigMap, { metadata: childOf(greeting), data: { for: greeting.spec.name } })
        await client.apply(ConfigMap, { metadata: childOf(greeting, '-log') })
      }),
    // #endregion
  },
  {
    found: 'failed-request',
    wrong: () =>
      // #region failed-wrong
      base().reconcile(async (key, { client, log }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        try {
          await client.apply(ConfigMap, { metadata: childOf(greeting), data: { for: greeting.spec.name } })
        } catch (error) {
          log.error({ error }, 'the ConfigMap was not written')
        }
      }),
    // #endregion
    right: () =>
      // #region failed-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        await client.apply(ConfigMap, { metadata: childOf(greeting), data: { for: greeting.spec.name } })
      }),
    // #endregion
  },
  {
    found: 'stale-cache',
    wrong: () =>
      // #region stale-wrong
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        const all = await client.list(ConfigMap, { namespace: key.namespace })
        const { uid } = greeting.metadata
        if (all.some(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))) return
        const { name, ...metadata } = childOf(greeting, '-')
        await client.create(ConfigMap, { metadata: { ...metadata, generateName: name } })
      }),
    // #endregion
    right: () =>
      // #region stale-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (greeting) await client.apply(ConfigMap, { metadata: childOf(greeting) })
      }),
    // #endregion
  },
  {
    found: 'not-healed',
    wrong: () =>
      // #region healed-wrong
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting || (await client.get(ConfigMap, key))) return
        await client.create(ConfigMap, { metadata: childOf(greeting), data: { text: 'hello' } })
      }),
    // #endregion
    right: () =>
      // #region healed-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (greeting) await client.apply(ConfigMap, { metadata: childOf(greeting), data: { text: 'hello' } })
      }),
    // #endregion
  },
  {
    found: 'history',
    wrong: () =>
      // #region history-wrong
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        await createOrUpdate(client, ConfigMap, key, (child) => {
          child.data = { ...child.data, [greeting.spec.name]: 'hello' }
          setControllerReference(greeting, child)
        })
      }),
    // #endregion
    right: () =>
      // #region history-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        await createOrUpdate(client, ConfigMap, key, (child) => {
          child.data = { [greeting.spec.name]: 'hello' }
          setControllerReference(greeting, child)
        })
      }),
    // #endregion
  },
  {
    found: 'left-behind',
    wrong: () =>
      // #region left-wrong
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (greeting) await client.apply(ConfigMap, { metadata: { ...key }, data: { text: 'hello' } })
      }),
    // #endregion
    right: () =>
      // #region left-right
      base().reconcile(async (key, { client }) => {
        const greeting = await client.get(Greeting, key)
        if (!greeting) return
        const ownerReferences = [controllerReference(greeting)]
        await client.apply(ConfigMap, { metadata: { ...key, ownerReferences }, data: { text: 'hello' } })
      }),
    // #endregion
  },
]

test.for(pairs)(
  '$found: the wrong reconciler is found, the right one is not',
  async ({ found, wrong, right }) => {
    const checked = (made: Controller) =>
      check(operator('greetings', { controllers: [made], samples }), { only: [found] })
    const report = await checked(wrong())
    expect(
      report.findings.map((finding) => finding.class),
      textReport(report),
    ).toContain(found)
    expect((await checked(right())).findings).toEqual([])
  },
)
