/**
 * Separates the processes of Pods from the machine and from each other, if the system supports it: namespaces limit
 * what they see, and control groups limit what they use and end them. Reports what the system does not support.
 */
export { type Cgroup } from './cgroups.ts'
export { ListenerWatch, type WatchedContainer } from './listener-watch.ts'
export { localListener } from './listeners.ts'
export { PodNamespaces, type PodNamespace } from './pod-namespaces.ts'
export { ProcessGuard } from './process-guard.ts'
export { childOf, familyOf } from './child-of.ts'
export { enterCgroup } from './enter-cgroup.ts'
export { withoutLoaderVariables } from './loader-variables.ts'
