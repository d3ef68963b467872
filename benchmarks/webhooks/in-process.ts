import { TestEnvironment } from '@homeostat/apiserver/testing'
import { admission, webhookConfigurations, webhookHandler } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { median } from '../runtime/statistics.ts'

const PATH = '/api/v1/namespaces/default/configmaps?dryRun=All'
const WARM_UP = 500

/** A webhook that does nothing: what is measured is the call alone. */
const nothing = admission(ConfigMap).validates({ create: () => [] })

/**
 * The cost to a write, in milliseconds, of a webhook that the API server calls in its own process: the median of
 * creates with one, less that of creates without.
 */
export async function inProcessCall(creates: number): Promise<number> {
  await using without = await TestEnvironment.start()
  await using withOne = await TestEnvironment.start()
  const { clock, webhookClientConfig: clientConfig } = withOne
  await withOne.mountWebhooks(
    webhookHandler([nothing], { clock }),
    webhookConfigurations([nothing], { name: 'nothing', clientConfig }),
  )
  for (const environment of [without, withOne]) await createAll(environment, WARM_UP)
  const [base, called] = [await createAll(without, creates), await createAll(withOne, creates)]
  return (median(called) ?? 0) - (median(base) ?? 0)
}

/** How long each create took, in milliseconds. */
async function createAll(environment: TestEnvironment, creates: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < creates; index++) {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${index}` },
      data: { a: 'b' },
    }
    const began = performance.now()
    const { code } = await environment.call('POST', PATH, { body })
    times.push(performance.now() - began)
    if (code !== 201) throw new Error(`a create was answered with ${code}`)
  }
  return times
}
