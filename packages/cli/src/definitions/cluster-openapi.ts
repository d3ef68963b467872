import { HomeostatError } from '@homeostat/api'
import type { ClusterConfig } from 'homeostat'
import { readFromCluster } from './cluster-request.ts'

/**
 * The OpenAPI document of a cluster: that of a group and version in v3, or of all in v2. Throws with code `OPENAPI_NOT_READ` where the request
 * fails, and `GROUP_NOT_FOUND` for a group and version that is not served.
 */
export async function clusterOpenApi(config: ClusterConfig, groupVersion?: string): Promise<unknown> {
  const read = async (path: string): Promise<any> =>
    JSON.parse(await readFromCluster(config, path, 'the OpenAPI document', 'OPENAPI_NOT_READ'))
  if (groupVersion === undefined) return read('/openapi/v2')
  const { paths = {} } = (await read('/openapi/v3')) as { paths?: Readonly<Record<string, unknown>> }
  const path = groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`
  if (Object.hasOwn(paths, path)) return read(`/openapi/v3/${path}`)
  const known = Object.keys(paths)
    .map((each) => /^apis?\/(.*v\d.*)$/.exec(each)?.[1])
    .filter((each) => each !== undefined)
    .toSorted()
    .join(', ')
  throw new HomeostatError(
    'GROUP_NOT_FOUND',
    `${config.server} does not serve ${groupVersion}. It serves: ${known}`,
  )
}
