/**
 * The pages that a manager serves: metrics, health and profiles, over HTTP or HTTPS, to every client or to those that
 * the API server allows.
 */
export { HealthChecks, type HealthCheck } from './health-checks.ts'
export { openManagerPages, type PageOrigins } from './manager-pages.ts'
export type { PageCertificate, PageOptions } from './page.ts'
