/** The logs of containers: kept in files, read in pages, and followed. */
export { ContainerLog, type LogOptions } from './container-log.ts'
