/**
 * A folder of this machine as the files that a shell sees: it is the root, and other folders can be mounted into it. No
 * path, link or race leads out of them.
 */
export { FolderFiles, type FolderFilesOptions } from './folder-files.ts'
export type { FolderFile } from './folder-file.ts'
export type { Mount } from './folder-paths.ts'
