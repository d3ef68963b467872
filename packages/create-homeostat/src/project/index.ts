/** The files of a project, and how they get into a folder: all of them, or none. */
export { packageVersion, projectFiles } from './project-files.ts'
export { checkFolder, writeProject } from './write-project.ts'
