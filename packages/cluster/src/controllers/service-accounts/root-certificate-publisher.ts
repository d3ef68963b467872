import { deepEqual } from '@homeostat/api'
import { ConfigMap, Namespace } from '@homeostat/api/kinds'
import { controller, isNotFound, type Controller } from 'homeostat'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'

const NAME = 'kube-root-ca.crt'
const DESCRIPTION = 'kubernetes.io/description'
const DESCRIPTION_TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** Keeps a ConfigMap `kube-root-ca.crt` in every namespace, with the certificate (PEM) by which Pods trust the API. */
export function rootCertificatePublisher(certificate: string): Controller {
  return controller('root-ca-certificate-publisher')
    .for(Namespace, { predicate: ({ type }) => type !== 'deleted' })
    .watches(ConfigMap, ({ metadata }) => ({ name: metadata.namespace }), {
      predicate: ({ object }) => object.metadata.name === NAME,
    })
    .reconcile(async ({ name: namespace }, { client }) => {
      const found = await client.get(Namespace, { name: namespace })
      if (found?.status.phase !== 'Active') return
      const data = { 'ca.crt': certificate }
      const existing = await client.get(ConfigMap, { namespace, name: NAME })
      if (!existing) {
        const metadata = { namespace, name: NAME, annotations: { [DESCRIPTION]: DESCRIPTION_TEXT } }
        try {
          await client.create(ConfigMap, { metadata, data })
        } catch (error) {
          if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error
        }
        return
      }
      if (deepEqual(existing.data, data) && existing.metadata.annotations?.[DESCRIPTION]) return
      const annotations = { ...existing.metadata.annotations, [DESCRIPTION]: DESCRIPTION_TEXT }
      await client.update(ConfigMap, { ...existing, metadata: { ...existing.metadata, annotations }, data })
    })
}
