import type { ApiHandler } from '@homeostat/api'
import { Cluster } from '@homeostat/cluster'
import { httpsHandler } from '../conformance/https-handler.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'

/** A cluster, ours or a real one, with the controllers and the admission of ServiceAccounts. */
export interface AccountCluster extends AsyncDisposable {
  readonly send: ApiHandler
}

/** Starts the cluster of the project that runs: `ours`, or `kubernetes`. */
export async function startAccountCluster(): Promise<AccountCluster> {
  if (process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes') {
    const plane = await startControlPlane({ controllerManager: true, serviceAccountAdmission: true })
    await plane.settled()
    const { url, token, certificateAuthority: ca } = plane
    const { send, close } = httpsHandler({ url, token, ca })
    return {
      send,
      async [Symbol.asyncDispose]() {
        close()
        await plane.stop()
      },
    }
  }
  const cluster = await Cluster.start()
  return { send: cluster.handler, [Symbol.asyncDispose]: () => cluster.close() }
}
