/**
 * The pages that a manager serves: metrics, health and profiles, over HTTP or HTTPS, to every client or to those that
 * the API server allows.
 */
export { HealthChecks, type HealthCheck } from './health-checks.ts'
export { loadCertificateFiles } from './load-certificate-files.ts'
export { openManagerPages, type PageOrigins } from './manager-pages.ts'
export { checkPageOptions, type PageCertificate, type PageOptions } from './page.ts'
