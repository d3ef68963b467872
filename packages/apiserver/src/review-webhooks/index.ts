/**
 * The services outside the server that answer reviews: which user a token belongs to, and whether a user may do
 * something. A kubeconfig file says where each is. Loaded only where one is configured.
 */
export { ExpiringCache } from './expiring-cache.ts'
export { readKubeconfig, type RemoteService } from './kubeconfig.ts'
export { ReviewClient, type Review } from './review-client.ts'
