import { HomeostatError, SystemClock } from '@homeostat/api'
import { connect, readBody, type ClusterConfig } from 'homeostat'

/** How long the server may take to answer, in milliseconds. */
const TIMEOUT = 30_000

/** Reads JSON from a cluster, as text. Throws with the code; the message says what cannot be read, and why. */
export async function readFromCluster(
  config: ClusterConfig,
  path: string,
  what: string,
  code: string,
): Promise<string> {
  const clock = new SystemClock()
  const abort = new AbortController()
  using _ = clock.schedule(TIMEOUT, () => abort.abort(new Error('no answer came within 30 seconds')))
  const transport = connect(config, { clock })
  const { signal } = abort
  try {
    const headers = { accept: 'application/json' }
    const query = new URLSearchParams()
    const answer = await transport.send({ method: 'GET', path, query, headers, signal })
    const text = new TextDecoder().decode(await readBody(answer, { signal }))
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${text.slice(0, 300)}`)
    return text
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HomeostatError(
      code,
      `${what} of ${config.server} cannot be read: ${why}. Run homeostat doctor to find the reason`,
      { cause: error },
    )
  } finally {
    await transport.close()
  }
}
