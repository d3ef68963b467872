import { inGoWords, type Endpoint } from '../../upstream/index.ts'
import { PASSED, type Availability } from './availability.ts'
import { pathOf, type Extension } from './extension.ts'
import type { ExtensionNetwork } from './extension-network.ts'
import { AGGREGATOR, userHeaders } from './front-proxy.ts'

const TIMEOUT = 5_000
/** The most addresses that are asked at once. */
const MOST_ASKED = 5
const TIMED_OUT = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'

/** Whether an extension API server answers at one of its addresses, in the words of its APIService. */
export async function checkExtension(
  network: ExtensionNetwork,
  extension: Extension,
  endpoints: readonly Endpoint[],
): Promise<Availability> {
  const asked = endpoints.slice(0, MOST_ASKED)
  const problems = await Promise.all(asked.map((endpoint) => problemOf(network, extension, endpoint)))
  if (problems.includes(undefined)) return PASSED
  return { status: 'False', reason: 'FailedDiscoveryCheck', message: problems.at(-1) ?? '' }
}

async function problemOf(
  network: ExtensionNetwork,
  extension: Extension,
  endpoint: Endpoint,
): Promise<string | undefined> {
  const { address, port } = endpoint
  const url = `https://${address.includes(':') ? `[${address}]` : address}:${port}${pathOf(extension)}`
  const failing = `failing or missing response from ${url}:`
  try {
    const path = pathOf(extension)
    const { status } = await network.get(extension, endpoint, {
      path,
      headers: userHeaders(AGGREGATOR),
      timeout: TIMEOUT,
    })
    return status >= 200 && status < 300 ? undefined : `${failing} bad status from ${url}: ${status}`
  } catch (error) {
    const words = inGoWords(error, { hostname: address, port })
    const reason = words === 'context deadline exceeded' ? TIMED_OUT : words
    return `${failing} Get ${JSON.stringify(url)}: ${reason}`
  }
}
