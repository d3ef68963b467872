import { CertificateSigningRequest, SubjectAccessReview } from '@homeostat/api/kinds'
import { controller, type Client } from 'homeostat'
import { hasCondition, KUBELET_CLIENT, kubeletClientProblem, requestOf } from './signer-rules.ts'

/** After how many milliseconds it checks again whether the requester has the right. */
const RETRY = 60_000

/** The ways in which a kubelet may request its certificate, each with the right that it needs. */
const WAYS = [
  {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
]

/** Approves requests of kubelets for client certificates, if roles allow the requester to make them. */
export const certificateApprover = controller('csrapproving')
  .for(CertificateSigningRequest)
  .reconcile(async ({ name }, { client }) => {
    const object = await client.get(CertificateSigningRequest, { name })
    if (!object || object.status.certificate) return undefined
    if (hasCondition(object, 'Approved') || hasCondition(object, 'Denied')) return undefined
    const { signerName, username, usages } = object.spec
    const request = requestOf(object)
    if (!request || signerName !== KUBELET_CLIENT) return undefined
    if (kubeletClientProblem(request, usages ?? []) !== undefined) return undefined
    const ways = username === request.commonName ? WAYS : WAYS.slice(1)
    for (const { subresource, message } of ways) {
      if (!(await isAllowed(client, object, subresource))) continue
      const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message } as const
      const conditions = [...(object.status.conditions ?? []), approved]
      const body = { ...object, status: { ...object.status, conditions } }
      await client.subresource('approval').update(CertificateSigningRequest, { name }, body)
      return undefined
    }
    return { requeueAfter: RETRY }
  })

async function isAllowed(
  client: Client,
  { spec }: CertificateSigningRequest,
  subresource: string,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = spec
  const review = await client.create(SubjectAccessReview, {
    metadata: {},
    spec: {
      user,
      uid,
      groups: groups && [...groups],
      extra: extra && Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
      resourceAttributes: {
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'certificatesigningrequests',
        subresource,
        verb: 'create',
      },
    },
  })
  return review.status.allowed
}
