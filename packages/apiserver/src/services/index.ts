/** The addresses behind Services, which proxied requests and calls of webhooks go to, and why such a call failed. */
export { inGoWords } from './go-words.ts'
export { chooseEndpoint, portNameOf, readyEndpoints, type Endpoint } from './service-endpoints.ts'
