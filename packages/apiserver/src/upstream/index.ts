/**
 * Helps to send requests to other servers: finds the endpoints behind Services, for proxied requests, extension API
 * servers and webhooks, and words the failure of a request as Go's HTTP client does.
 */
export { inGoWords } from './go-words.ts'
export { chooseEndpoint, portNameOf, readyEndpoints, type Endpoint } from './service-endpoints.ts'
