import { CertificateSigningRequest } from '@homeostat/api/kinds'
import { controller } from 'homeostat'

const HOUR = 3_600_000
/** How long requests are kept after they were issued, denied or failed, and how long all others are. */
const [DECIDED, PENDING] = [HOUR, 24 * HOUR]

/** Deletes old requests: those that were issued, denied or failed after an hour, others after a day. */
export const certificateCleaner = controller('csrcleaner')
  .for(CertificateSigningRequest)
  .reconcile(async ({ name }, { client, clock }) => {
    const object = await client.get(CertificateSigningRequest, { name })
    const due = object && dueAt(object)
    if (due === undefined) return undefined
    const wait = due - clock.now()
    if (wait >= 0) return { requeueAfter: wait + 1 }
    await client.delete(CertificateSigningRequest, { name }, { preconditions: { uid: object?.metadata.uid } })
    return undefined
  })

/** When a request is deleted, in milliseconds since 1970. */
function dueAt({ metadata, status }: CertificateSigningRequest): number | undefined {
  const conditions = status.conditions ?? []
  if (conditions.length === 0) return Date.parse(metadata.creationTimestamp) + PENDING
  const ends = conditions.flatMap(({ type, lastUpdateTime }) => {
    if (lastUpdateTime === undefined) return []
    const at = Date.parse(lastUpdateTime)
    if (type === 'Denied' || type === 'Failed') return [at + DECIDED]
    return type === 'Approved' ? [at + (status.certificate ? DECIDED : PENDING)] : []
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}
