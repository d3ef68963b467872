import { ApiServer } from '@homeostat/apiserver'
import { ASKER, serverOf } from '../fuzz/both-servers.ts'
import { definitionSpec, groupOf, type Manifest } from './manifests.ts'

export const NAMESPACE = 'samples'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** The samples that an API server accepts with strict validation of their fields. `npm test crds` compares its answers with Kubernetes'. */
export async function acceptedSamples(
  definitions: readonly Manifest[],
  samples: readonly Manifest[],
): Promise<Manifest[]> {
  const server = await ApiServer.start()
  await using asked = serverOf(server.handlerFor(ASKER), () => server.close())
  const create = async (path: string, body: object): Promise<number> =>
    (await asked.ask({ method: 'POST', path, body }, NAMESPACE)).code
  await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  for (const { object, place } of definitions) {
    // No webhook runs here that converts.
    const spec = { ...(object['spec'] as object), conversion: { strategy: 'None' } }
    const code = await create(DEFINITIONS, { ...object, spec })
    if (code !== 201) throw new Error(`${place}: the definition is answered with ${code}`)
  }
  const accepted: Manifest[] = []
  for (const sample of samples) {
    const path = collectionOf(sample, definitions)
    if (path === undefined) continue
    const metadata = { name: 'sample', ...sample.object.metadata, namespace: undefined }
    const code = await create(`${path}?dryRun=All&fieldValidation=Strict`, { ...sample.object, metadata })
    if (code === 201) accepted.push(sample)
  }
  return accepted
}

function collectionOf({ object }: Manifest, definitions: readonly Manifest[]): string | undefined {
  const spec = definitions
    .map((one) => definitionSpec(one.object))
    .find(({ group, names }) => group === groupOf(object) && names.kind === object.kind)
  if (!spec) return undefined
  const namespace = spec.scope === 'Namespaced' ? `namespaces/${NAMESPACE}/` : ''
  return `/apis/${object.apiVersion}/${namespace}${spec.names.plural}`
}
