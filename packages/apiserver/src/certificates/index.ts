/** Certificates for ports: a certificate authority, and the certificates that it signs. It uses only Web Crypto. */
export {
  CertificateAuthority,
  type Certificate,
  type CertificateRequest,
  type Validity,
} from './certificates.ts'
export { FRONT_PROXY_NAME } from './front-proxy-name.ts'
export { newFrontProxy, type FrontProxyIdentity } from './front-proxy.ts'
