/** A request to a Kubernetes API and its answer, as values that need no network. */
export type { ApiHandler, ApiRequest, ApiResponse } from './exchange.ts'
export { ValueBytes, type KeptEvent, type KeptObject } from './value-bytes.ts'
