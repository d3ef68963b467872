import { objectOf, textOf } from '../schema/index.ts'
import { errorCode } from '../work/index.ts'

/** Certificate problems, as Go words them. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'certificate has expired or is not yet valid',
}

/** Why a request to another server failed, in the words of Go's HTTP client. */
export function inGoWords(
  error: unknown,
  { hostname, port }: { readonly hostname: string; readonly port: string | number },
): string {
  if (!(error instanceof Error)) return String(error)
  const code = errorCode(error)
  if (error.name === 'TimeoutError' || (error.cause as Error | undefined)?.name === 'TimeoutError')
    return 'context deadline exceeded'
  if (code === 'ECONNREFUSED' || code === 'CONNECTION_REFUSED') {
    return `dial tcp ${hostname}:${port || '443'}: connect: connection refused`
  }
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'EOF'
  if (code === 'EPROTO' && error.message.includes('wrong version number'))
    return 'http: server gave HTTP response to HTTPS client'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const host = 'host' in error ? textOf(error.host) : hostname
    const cert = 'cert' in error ? objectOf(error.cert) : {}
    const names = textOf(cert['subjectaltname'] ?? '').replaceAll(/(?:DNS|IP Address):/g, '')
    return `tls: failed to verify certificate: x509: certificate is valid for ${names}, not ${host}`
  }
  const problem =
    code !== undefined && Object.hasOwn(CERTIFICATE_PROBLEMS, code) ? CERTIFICATE_PROBLEMS[code] : undefined
  if (problem !== undefined) return `tls: failed to verify certificate: x509: ${problem}`
  return error.message
}
