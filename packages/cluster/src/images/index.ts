/**
 * What images are here: functions of this process, or commands of this machine that a mapping allows.
 * A name that nothing maps runs nothing.
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
export { imageFlag } from './image-flag.ts'
