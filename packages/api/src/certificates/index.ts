/**
 * Certificates for ports: an authority, the certificates that it signs, and requests for them. Made with Web Crypto alone. An entry of its own, because most
 * programs need none.
 */
export { CertificateAuthority, type Certificate, type Validity } from './certificate-authority.ts'
export { CertificateRequest, type AlternativeNames } from './certificate-request.ts'
export { createCertificateRequest } from './new-certificate-request.ts'
export type { CertificateSubject } from './subject-name.ts'
