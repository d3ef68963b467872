/**
 * The pages that a manager serves: metrics, health and profiles, over HTTP or HTTPS, to every client or to those that
 * the API server allows.
 */
export { AccessReviews, type ReviewedAccess, type ReviewedUser } from './access-reviews.ts'
export { HealthChecks, type HealthCheck } from './health-checks.ts'
export { loadCertificateFiles } from './load-certificate-files.ts'
export { openManagerPages, openOperatorPage, type PageOrigins } from './manager-pages.ts'
export type { OperatorPage, ShownManager } from './operator-page.ts'
export { checkPageOptions, type PageCertificate, type PageOptions } from './page.ts'
