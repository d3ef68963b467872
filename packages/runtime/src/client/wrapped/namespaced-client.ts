import { HomeostatError, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import type { Client } from '../interface/client.ts'
import { interceptClient, type ClientCall } from './intercept-client.ts'
import { resourceName } from '../../requests/index.ts'

/** Methods that are given an object; others are given a key, or only options. */
const WITH_OBJECT = new Set(['create', 'update', 'apply', 'status.update', 'scale.update'])
const WITH_OPTIONS = new Set(['list', 'live.list', 'deleteAllOf', 'pages'])

/**
 * A client limited to one namespace: the namespace is filled in where none is given, lists show no other, and another
 * namespace is refused with code `CLIENT_NAMESPACE_DIFFERS`. Cluster-scoped kinds are not affected.
 */
export function namespacedClient<I>(client: Client<I>, namespace: string): Client<I> {
  return interceptClient(client, async (call, next) => {
    if (call.kind.scope === 'Cluster') return next()
    const [first, ...rest] = call.args
    return next({ ...call, args: [inNamespace(call, first, namespace), ...rest] })
  })
}

function inNamespace(call: ClientCall, first: unknown, namespace: string): unknown {
  if (WITH_OBJECT.has(call.method)) {
    const object = first as KubernetesObject
    mustAgree(call, object.metadata.namespace, namespace)
    return { ...object, metadata: { ...object.metadata, namespace } }
  }
  const given = first as ObjectKey | undefined
  mustAgree(call, given?.namespace, namespace)
  return WITH_OPTIONS.has(call.method) || given ? { ...given, namespace } : first
}

function mustAgree({ kind, method }: ClientCall, given: string | undefined, namespace: string): void {
  if (!given || given === namespace) return
  throw new HomeostatError(
    'CLIENT_NAMESPACE_DIFFERS',
    `${method} of ${resourceName(kind)} in the namespace ${given} is refused: this client is limited to the namespace ${namespace}. Use another client, or leave the namespace out.`,
  )
}
