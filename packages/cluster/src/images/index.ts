/**
 * Images of the local cluster: functions of this process, or commands of this machine that a mapping allows. An
 * unmapped name runs nothing.
 */
export { mountedPath, type Container, type ContainerModule, type OutputWriter } from './container.ts'
export {
  argvOf,
  resolveImage,
  type CommandImage,
  type Image,
  type ImageMap,
  type ModuleImage,
} from './image.ts'
export { findProgram } from './find-program.ts'
export { imageFlag } from './image-flag.ts'
