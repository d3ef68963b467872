/**
 * The page on a port: its files, the stream of what happens, and what a viewer asks for. On loopback it is for the browser that was
 * opened with the printed address; in production for users whom the API server allows. Requests of other sites and under other
 * names are refused.
 */
export type { OperatorCommand } from './actions.ts'
export { openInBrowser } from './open-in-browser.ts'
export { PageHandler, type RecordingSource } from './page-handler.ts'
export { PageServer, type PageServerOptions } from './page-server.ts'
export { PAGE_PATH, ReviewedAccess } from './reviewed-access.ts'
