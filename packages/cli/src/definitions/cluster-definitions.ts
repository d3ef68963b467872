import { HomeostatError, type CustomResourceDefinitionSource } from '@homeostat/api'
import type { ClusterConfig } from 'homeostat'
import { readFromCluster } from './cluster-request.ts'
import { definitionsIn } from './definition-text.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/**
 * The definitions that a cluster has. Names select them: each is a group or the name of a definition; without names, all are returned. Throws with
 * code `DEFINITIONS_NOT_READ` where the request fails, and `DEFINITION_NOT_FOUND` for a name that selects nothing.
 */
export async function clusterDefinitions(
  config: ClusterConfig,
  names: readonly string[] = [],
): Promise<CustomResourceDefinitionSource[]> {
  const text = await readFromCluster(config, DEFINITIONS, 'the definitions', 'DEFINITIONS_NOT_READ')
  const all = definitionsIn(text, config.server)
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
