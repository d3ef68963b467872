/** Connections that are upgraded from HTTP: `exec`, `attach` and `port-forward`, and watches over a WebSocket. */
export { upgrade } from './upgrade.ts'
export { isWebSocketRequest, serveWatch } from './websocket-watch.ts'
