import { HomeostatError, SystemClock, type CustomResourceDefinitionSource } from '@homeostat/api'
import { connect, readBody, type ClusterConfig } from 'homeostat'
import { definitionsIn } from './definition-text.ts'

/** How long the server may take to answer, in milliseconds. */
const TIMEOUT = 30_000

/**
 * The definitions that a cluster has. Names select them: each is a group or the name of a definition; without names, all are returned. Throws with
 * code `DEFINITIONS_NOT_READ` where the request fails, and `DEFINITION_NOT_FOUND` for a name that selects nothing.
 */
export async function clusterDefinitions(
  config: ClusterConfig,
  names: readonly string[] = [],
): Promise<CustomResourceDefinitionSource[]> {
  const all = definitionsIn(await listText(config), config.server)
  const nameOf = ({ spec }: CustomResourceDefinitionSource): string => `${spec.names.plural}.${spec.group}`
  const isNamed = (definition: CustomResourceDefinitionSource, name: string): boolean =>
    definition.spec.group === name || nameOf(definition) === name
  for (const name of names) {
    if (all.some((definition) => isNamed(definition, name))) continue
    const known = all.map(nameOf).toSorted().join(', ') || 'none'
    const message = `${config.server} has no definition ${name}, nor a group of that name. It has: ${known}`
    throw new HomeostatError('DEFINITION_NOT_FOUND', message)
  }
  return names.length === 0
    ? all
    : all.filter((definition) => names.some((name) => isNamed(definition, name)))
}

async function listText(config: ClusterConfig): Promise<string> {
  const clock = new SystemClock()
  const abort = new AbortController()
  using _ = clock.schedule(TIMEOUT, () => abort.abort(new Error('no answer came within 30 seconds')))
  const transport = connect(config, { clock })
  const { signal } = abort
  try {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const headers = { accept: 'application/json' }
    const answer = await transport.send({
      method: 'GET',
      path,
      query: new URLSearchParams(),
      headers,
      signal,
    })
    const text = new TextDecoder().decode(await readBody(answer, { signal }))
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${text.slice(0, 300)}`)
    return text
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HomeostatError(
      'DEFINITIONS_NOT_READ',
      `the definitions of ${config.server} cannot be read: ${why}. Run homeostat doctor to find the reason`,
      { cause: error },
    )
  } finally {
    await transport.close()
  }
}
