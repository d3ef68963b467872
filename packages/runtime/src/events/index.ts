/** Events about objects, written to the API server. Repeated ones become a series. */
export { ApiEventRecorder } from './api-event-recorder.ts'
