import { timestamp } from '@homeostat/api'
import type { CertificateRequest, Validity } from '@homeostat/api/certificates'
import { CertificateSigningRequest } from '@homeostat/api/kinds'
import { controller, type Controller } from 'homeostat'
import { hasCondition, isClusterSigner, requestOf, signerProblem } from './signer-rules.ts'

/** Signs a request, and returns the certificate in PEM. */
export type SignCertificate = (
  request: CertificateRequest,
  options: { readonly usages: readonly string[]; readonly validity: Validity },
) => Promise<string>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** How long a certificate is valid, unless a shorter time is asked for. */
const LONGEST = 365 * 24 * HOUR
const SHORTEST = 10 * MINUTE
/** How long before now a certificate begins: clocks differ. */
const BACKDATE = 5 * MINUTE
/** A certificate that is valid for less than this keeps its end, although it begins earlier. */
const SHORT = 8 * HOUR

/** Signs approved requests of the signers that belong to a cluster, by the authority of its API server. */
export function certificateSigner(sign: SignCertificate): Controller {
  return controller('csrsigning')
    .for(CertificateSigningRequest, { predicate: ({ object }) => isClusterSigner(object.spec.signerName) })
    .reconcile(async ({ name }, { client, clock }) => {
      const object = await client.get(CertificateSigningRequest, { name })
      if (!object || object.status.certificate) return
      const { Approved, Denied, Failed } = statesOf(object)
      if (!Approved || Denied || Failed) return
      const request = requestOf(object)
      if (!request || !(await request.isSigned())) return
      const { signerName, usages = [], expirationSeconds } = object.spec
      const message = signerProblem(signerName, request, usages)
      if (message !== undefined) {
        const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message } as const
        const conditions = [...(object.status.conditions ?? []), failed]
        await client.status.update(CertificateSigningRequest, {
          ...object,
          status: { ...object.status, conditions },
        })
        return
      }
      const validity = validityOf(clock.now(), expirationSeconds)
      const certificate = btoa(await sign(request, { usages, validity }))
      await client.status.update(CertificateSigningRequest, {
        ...object,
        status: { ...object.status, certificate },
      })
    })
}

function statesOf(object: CertificateSigningRequest): Record<'Approved' | 'Denied' | 'Failed', boolean> {
  return {
    Approved: hasCondition(object, 'Approved'),
    Denied: hasCondition(object, 'Denied'),
    Failed: hasCondition(object, 'Failed'),
  }
}

function validityOf(now: number, expirationSeconds: number | undefined): Validity {
  const asked = expirationSeconds === undefined ? LONGEST : expirationSeconds * 1_000
  const length = Math.min(Math.max(asked, SHORTEST), LONGEST)
  const end = now + (length < SHORT ? length : length - BACKDATE)
  return { notBefore: timestamp(now - BACKDATE), notAfter: timestamp(end) }
}
