/** What goes on over a port in another protocol than HTTP: `exec`, `attach` and `port-forward`, and watches over a WebSocket. */
export { upgrade } from './upgrade.ts'
export { isWebSocketRequest, serveWatch } from './websocket-watch.ts'
