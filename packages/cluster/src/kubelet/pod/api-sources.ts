import { ConfigMap, Secret, ServiceAccount, type Pod } from '@homeostat/api/kinds'
import type { Client } from 'homeostat'
import { claimedFolder, type PersistentFolders } from '../volumes/index.ts'
import type { IssuedToken, PodSources, TokenWanted } from '../sources/index.ts'

/** The sources of a Pod's volumes and variables in the API. */
export function apiSources(
  client: Client,
  pod: Pod,
  options: {
    readonly persistentFolders?: PersistentFolders | undefined
    readonly hostPaths?: boolean | undefined
  },
): PodSources {
  const { namespace } = pod.metadata
  return {
    configMap: (name) => client.get(ConfigMap, { namespace, name }),
    secret: (name) => client.get(Secret, { namespace, name }),
    token: (wanted) => requestToken(client, pod, wanted),
    claim: (name) =>
      claimedFolder(
        client,
        { namespace, name },
        { folders: options.persistentFolders, hostPaths: options.hostPaths === true },
      ),
  }
}

async function requestToken(
  client: Client,
  pod: Pod,
  { audience, expirationSeconds }: TokenWanted,
): Promise<IssuedToken> {
  const { namespace, name, uid } = pod.metadata
  const account = { namespace, name: pod.spec.serviceAccountName || 'default' }
  const answer = await client.subresource('token').create(ServiceAccount, account, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: audience === undefined ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  })
  const { token, expirationTimestamp } = answer['status'] as { token: string; expirationTimestamp: string }
  return { token, expires: Date.parse(expirationTimestamp) }
}
