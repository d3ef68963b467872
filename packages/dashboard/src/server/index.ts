/**
 * The page on loopback: its files, the stream of what happens, and what a user asks for. Requests of other sites, under other
 * names, or without the printed address are refused.
 */
export type { ActionTargets } from './actions.ts'
export { PageServer, type PageServerOptions } from './page-server.ts'
