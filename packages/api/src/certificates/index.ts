/**
 * Certificates for ports: an authority, the certificates that it signs, and requests for them. It uses only Web Crypto. The
 * package has a separate entry point for it, because most programs need no certificates.
 */
export { CertificateAuthority, type Certificate, type Validity } from './certificate-authority.ts'
export { CertificateRequest, type AlternativeNames } from './certificate-request.ts'
export { createCertificateRequest } from './new-certificate-request.ts'
export type { CertificateSubject } from './subject-name.ts'
