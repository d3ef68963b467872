/** The addresses behind Services, which proxied requests and calls of webhooks go to. */
export { chooseEndpoint, portNameOf, readyEndpoints, type Endpoint } from './service-endpoints.ts'
