/**
 * Certificates for ports: an authority, and the certificates that it signs. Made with Web Crypto alone. An entry of its own, because most
 * programs need none.
 */
export {
  CertificateAuthority,
  type Certificate,
  type CertificateSubject,
  type Validity,
} from './certificate-authority.ts'
