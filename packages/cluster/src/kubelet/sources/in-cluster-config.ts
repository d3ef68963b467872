import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '@homeostat/api/kinds'
import type { Mount } from '@homeostat/shell'

/** Where every container with a token finds it. */
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * A process of this machine does not see the paths of its container, so a client in it does not find its token where all
 * clients look. So it gets a kubeconfig, in `KUBECONFIG`, which every client reads. The kubeconfig has the API's address, the
 * namespace, and the paths of the files with the token and the CA, which are kept up to date. `undefined` where the container
 * has no token.
 */
export function writeInClusterConfig(
  path: string,
  pod: Pod,
  mounts: readonly Mount[],
  env: Readonly<Record<string, string>>,
): string | undefined {
  const source = mounts.find((mount) => mount.path === MOUNT_PATH)?.source
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']]
  if (source === undefined || !host || !port) return undefined
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'in-cluster',
        cluster: { server: `https://${host}:${port}`, 'certificate-authority': join(source, 'ca.crt') },
      },
    ],
    users: [{ name: 'service-account', user: { tokenFile: join(source, 'token') } }],
    contexts: [
      {
        name: 'in-cluster',
        context: { cluster: 'in-cluster', user: 'service-account', namespace: pod.metadata.namespace },
      },
    ],
    'current-context': 'in-cluster',
  }
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 })
  return path
}
