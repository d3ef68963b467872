import { CertificateRequest } from '@homeostat/api/certificates'
import type { CertificateSigningRequest } from '@homeostat/api/kinds'

const NODES = 'system:nodes'
const NODE_PREFIX = 'system:node:'
const CLIENT = 'kubernetes.io/kube-apiserver-client'
export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet'
const KUBELET_SERVING = 'kubernetes.io/kubelet-serving'
const LEGACY = 'kubernetes.io/legacy-unknown'

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined

/** The signers of a cluster, each with the reason for which it refuses a request. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  [CLIENT, (_, usages) => clientProblem(usages)],
  [KUBELET_CLIENT, kubeletClientProblem],
  [KUBELET_SERVING, kubeletServingProblem],
  [LEGACY, () => undefined],
])

/** Whether a cluster signs for this signer. */
export function isClusterSigner(signerName: string): boolean {
  return RULES.has(signerName)
}

/** Why the signer of a request refuses it; undefined where it signs. In the words of Kubernetes. */
export function signerProblem(
  signerName: string,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  return RULES.get(signerName)?.(request, usages)
}

function clientProblem(usages: readonly string[]): string | undefined {
  const other = usages.find(
    (usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage),
  )
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth'
}

/** Why a request is not that of a kubelet for its client certificate. */
export function kubeletClientProblem(
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  const { names } = request
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (names.dns.length > 0) return 'DNS subjectAltNames are not allowed'
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.addresses.length > 0) return 'IP subjectAltNames are not allowed'
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return nameProblem(request) ?? usageProblem(usages, 'client auth')
}

function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names } = request
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (names.dns.length + names.addresses.length === 0) return 'DNS or IP subjectAltName is required'
  if (names.emails.length > 0) return 'Email subjectAltNames are not allowed'
  if (names.uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usageProblem(usages, 'server auth') ?? nameProblem(request)
}

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === NODES
}

function nameProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : 'subject common name does not begin with system:node:'
}

function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [purpose, 'digital signature', 'key encipherment']
  const given = new Set(usages)
  // Only keys of RSA encipher other keys.
  const needed = wanted.filter((usage) => usage !== 'key encipherment')
  const fits = needed.every((usage) => given.has(usage)) && usages.every((usage) => wanted.includes(usage))
  return fits ? undefined : `usages did not match [${wanted.toSorted().join(' ')}]`
}

/** The certificate request in an object; undefined if it cannot be read, in which case a retry would not help. */
export function requestOf({ spec }: CertificateSigningRequest): CertificateRequest | undefined {
  try {
    return new CertificateRequest(atob(spec.request))
  } catch {
    return undefined
  }
}

/** Whether an object has a condition of a type: all that signers read are true. */
export function hasCondition({ status }: CertificateSigningRequest, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type)
}
