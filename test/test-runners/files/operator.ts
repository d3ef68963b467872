import { controller } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'

/** Copies ConfigMaps into Secrets, says so, and fails for one that is named `broken`. */
export const copier = controller('copier')
  .for(ConfigMap)
  .owns(Secret)
  .writes(Secret, 'apply')
  .reconcile(async (request, { client, log }) => {
    if (request.name === 'kube-root-ca.crt') return
    if (request.name === 'broken') throw new Error('the copier jams')
    if (!(await client.get(ConfigMap, request))) return
    await client.apply(Secret, { metadata: request, data: { copied: 'eWVz' } })
    log.info('copied')
  })
