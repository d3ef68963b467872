/** The input and output of a container, to which clients attach. */
export { ContainerStreams, type AttachOptions } from './container-streams.ts'
