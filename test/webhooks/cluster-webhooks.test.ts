import { Cluster } from '@homeostat/cluster'
import { admission, invalid, Manager, silentLogger, type Transport, type WebhooksOptions } from 'homeostat'
import { ConfigMap, Pod, Service, ValidatingWebhookConfiguration } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'

const namespace = 'default'

const maps = admission(ConfigMap).validates(
  { create: ({ data }) => (data?.['port'] === '0' ? [invalid('data[port]', 'must not be 0')] : []) },
  { objectSelector: { matchLabels: { checked: 'yes' } } },
)

/** A manager with the webhooks of these tests alone. */
function serve(transport: Transport, signal: AbortSignal, options: WebhooksOptions): Promise<void> {
  return new Manager({ transport, logger: silentLogger })
    .addWebhooks([maps], { name: 'maps', ...options })
    .start({ signal })
}

/** Waits until a ConfigMap with a wrong port is refused, and shows that a right one is not. */
async function expectChecks({ client }: Cluster): Promise<void> {
  const create = (name: string, port: string) =>
    client.create(
      ConfigMap,
      { metadata: { namespace, name, labels: { checked: 'yes' } }, data: { port } },
      { dryRun: true },
    )
  const outcome = () => create('wrong', '0').then(() => 'created', String)
  await expect.poll(outcome, { timeout: 60_000 }).toContain('data[port]: Invalid value: "0": must not be 0')
  await create('right', '1')
}

describe('a local cluster', { timeout: 120_000 }, () => {
  it('calls webhooks of a module in a Pod, by their Service', async () => {
    let transport: Transport | undefined
    await using cluster = await Cluster.start({
      images: {
        maps: {
          module: (container) =>
            serve(transport!, container.signal, {
              host: container.address,
              port: container.port(9443),
              service: { name: 'maps', namespace },
              install: true,
            }),
        },
      },
    })
    transport = cluster.transport
    const labels = { app: 'maps' }
    await cluster.client.create(Service, {
      metadata: { namespace, name: 'maps' },
      spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
    })
    await cluster.client.create(Pod, {
      metadata: { namespace, name: 'maps', labels },
      spec: { containers: [{ name: 'maps', image: 'maps', ports: [{ containerPort: 9443 }] }] },
    })
    await expectChecks(cluster)
    const [configuration] = await cluster.client.list(ValidatingWebhookConfiguration)
    expect(configuration?.webhooks?.[0]?.clientConfig.service).toMatchObject({ namespace, name: 'maps' })
  })

  it('calls webhooks of a process, by their URL, until it stops', async () => {
    await using cluster = await Cluster.start()
    const stop = new AbortController()
    const running = serve(cluster.transport, stop.signal, {})
    await expectChecks(cluster)
    stop.abort()
    await running
    expect(await cluster.client.list(ValidatingWebhookConfiguration)).toEqual([])
  })
})
