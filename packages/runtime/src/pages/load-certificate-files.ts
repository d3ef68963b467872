import type { CertificateFiles } from './certificate-files.ts'

/** Loads the class that reads certificates from files, which not every process needs. */
export async function loadCertificateFiles(): Promise<typeof CertificateFiles> {
  return (await import('./certificate-files.ts')).CertificateFiles
}
