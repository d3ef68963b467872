/** The parts that all containers of a Pod share: its address, its host names and its namespaces. */
export { hostnameOf, podFiles } from './pod-files.ts'
export { PodSandbox } from './pod-sandbox.ts'
