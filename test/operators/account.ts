import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { connect, loadConfig, type PolicyRule, type Transport } from 'homeostat'
import { ClusterRole, ClusterRoleBinding, ServiceAccount, SubjectAccessReview } from 'homeostat/kinds'
import { inject } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { TestServer } from '../test-server.ts'

/** A way to the server for one who may do what the rules say, and nothing else. */
export interface Account extends AsyncDisposable {
  readonly transport: Transport
}

/** The rules of the ClusterRole in an example's manifests. */
export function generatedRules(example: string): readonly PolicyRule[] {
  const file = resolve(import.meta.dirname, '../../examples', example, 'manifests/access.yaml')
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Role)
  const role = documents.find(({ kind }) => kind === 'ClusterRole')
  if (!role) throw new Error(`${file} holds no ClusterRole`)
  return role.rules
}

interface Role {
  readonly kind: string
  readonly rules: readonly PolicyRule[]
}

/** Makes a ServiceAccount with these rules, and a token for it. */
export async function makeAccount(server: TestServer, rules: readonly PolicyRule[]): Promise<Account> {
  const { client, namespace } = server
  const metadata = { name: `${namespace}-operator` }
  await client.create(ServiceAccount, { metadata: { namespace, name: 'operator' } })
  await client.create(ClusterRole, { metadata, rules: [...rules] })
  await client.create(ClusterRoleBinding, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'operator' }],
  })
  await untilAllowed(server, rules[0]!)
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/operator/token`
  const answer = await server.call('POST', path, { body })
  if (answer.status !== 201) throw new Error(`no token for the operator: ${answer.body.message}`)
  return {
    transport: bearing(server, answer.body.status.token),
    async [Symbol.asyncDispose]() {
      await client.delete(ClusterRoleBinding, metadata)
      await client.delete(ClusterRole, metadata)
    },
  }
}

/**
 * A real server that checks who may set `blockOwnerDeletion` looks for new kinds every half a minute: until then it
 * refuses owners of such a kind to every user who may not do everything.
 */
export function isUnmappedOwner(message: string): boolean {
  return message.includes('cannot set blockOwnerDeletion in this case because cannot find RESTMapping')
}

/** A real server learns of a new role a moment later: of all its rules at once. */
async function untilAllowed(server: TestServer, { apiGroups, resources, verbs }: PolicyRule): Promise<void> {
  const [resource, subresource] = resources[0]!.split('/')
  const attributes = { group: apiGroups[0], resource, subresource, verb: verbs[0] }
  const user = `system:serviceaccount:${server.namespace}:operator`
  const spec = { user, resourceAttributes: { ...attributes, namespace: server.namespace } }
  await server.until('the role to count', async () => {
    const { status } = await server.client.create(SubjectAccessReview, { metadata: {}, spec })
    return status?.allowed
  })
}

function bearing(server: TestServer, token: string): Transport {
  if (server.name === 'kubernetes') {
    const { kubeconfig } = inject('kubernetes')
    const { tls, ...config } = loadConfig({ kubeconfig })
    return connect(
      { ...config, tls: { ...tls, cert: undefined, key: undefined }, token },
      { clock: server.clock },
    )
  }
  const authorization = `Bearer ${token}`
  return {
    ...server.transport,
    send: (request) => server.transport.send({ ...request, headers: { ...request.headers, authorization } }),
  }
}
