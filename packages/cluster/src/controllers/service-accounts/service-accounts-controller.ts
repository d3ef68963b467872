import { Namespace, ServiceAccount } from '@homeostat/api/kinds'
import { controller, isAlreadyExists, isNotFound } from 'homeostat'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'

/** The ServiceAccount of Pods that name none. */
const DEFAULT_ACCOUNT = 'default'

/** Keeps a ServiceAccount `default` in every namespace. */
export const serviceAccountsController = controller('service-account-controller')
  .for(Namespace, { predicate: ({ type }) => type !== 'deleted' })
  .watches(ServiceAccount, ({ metadata }) => ({ name: metadata.namespace }), {
    predicate: ({ type, object }) => type === 'deleted' && object.metadata.name === DEFAULT_ACCOUNT,
  })
  .reconcile(async ({ name: namespace }, { client }) => {
    const found = await client.get(Namespace, { name: namespace })
    if (found?.status.phase !== 'Active') return
    if (await client.get(ServiceAccount, { namespace, name: DEFAULT_ACCOUNT })) return
    try {
      await client.create(ServiceAccount, { metadata: { namespace, name: DEFAULT_ACCOUNT } })
    } catch (error) {
      if (!isAlreadyExists(error) && !isNotFound(error) && !isNamespaceTerminating(error)) throw error
    }
  })
