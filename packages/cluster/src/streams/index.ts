/** Joins `kubectl exec`, `attach`, `cp` and `port-forward`, as the API server offers them, with the nodes that run Pods. */
export { podStreams, type PodRunners } from './pod-streams.ts'
