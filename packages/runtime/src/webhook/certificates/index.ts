/**
 * Certificates that manage themselves: an authority and a serving certificate in a Secret that all processes
 * of an operator share. The leader renews them, and tells API servers which authorities to trust. API servers trust the
 * certificate in use at every moment.
 */
export { CertificateRotation, type TrustedAuthorities } from './certificate-rotation.ts'
export { bundleOf } from './certificate-set.ts'
export { MANAGED_BY, MemoryStore, SecretStore, type CertificateStore } from './certificate-store.ts'
export { ServingCertificate, type CertificateContext } from './serving-certificate.ts'
