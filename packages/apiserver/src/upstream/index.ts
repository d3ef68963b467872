/**
 * What requests to other servers need: the endpoints behind Services, for proxied requests, extension API servers and
 * webhooks, and the reason why such a request failed, with the message of Go's HTTP client.
 */
export { inGoWords } from './go-words.ts'
export { chooseEndpoint, portNameOf, readyEndpoints, type Endpoint } from './service-endpoints.ts'
