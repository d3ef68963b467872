/**
 * Separates the processes of Pods from the machine and from each other, as far as the system can: namespaces for what they
 * see, control groups for what they use and for their end. Where it cannot, it says so.
 */
export { type Cgroup } from './cgroups.ts'
export { ListenerWatch, type WatchedContainer } from './listener-watch.ts'
export { localListener } from './listeners.ts'
export { PodNamespaces, type PodNamespace } from './pod-namespaces.ts'
export { ProcessGuard } from './process-guard.ts'
export { childOf, familyOf } from './child-of.ts'
export { enterCgroup } from './enter-cgroup.ts'
export { withoutLoaderVariables } from './loader-variables.ts'
