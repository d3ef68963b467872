import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CreateError } from '../answers/index.ts'

/** Entries that an empty folder may contain: a repository that was just initialized. */
const IGNORED = ['.git']

/** Throws a `CreateError` with code `FOLDER_NOT_EMPTY` if the folder has other files. */
export function checkFolder(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory())
    throw new CreateError('FOLDER_NOT_EMPTY', `${folder} is a file: name another folder`)
  const [found] = readdirSync(folder).filter((name) => !IGNORED.includes(name))
  if (found !== undefined)
    throw new CreateError(
      'FOLDER_NOT_EMPTY',
      `${folder} is not empty: it has ${found}. Name a new folder, or empty this one`,
    )
}

/**
 * Writes a project into a folder that is new or empty: all files, or none. The files are written to a temporary folder and then moved.
 * Throws a `CreateError` with code `FOLDER_NOT_EMPTY` or `FOLDER_NOT_WRITABLE`.
 */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  checkFolder(folder)
  const isNew = !existsSync(folder)
  let draft: string | undefined
  try {
    if (isNew) mkdirSync(dirname(folder), { recursive: true })
    // On the same disk, so that the files can be moved by renaming.
    draft = mkdtempSync(join(isNew ? dirname(folder) : folder, `.${basename(folder)}-`))
    // A private folder: other users may not read a temporary one.
    const made = join(draft, 'project')
    for (const [path, text] of files) {
      const file = join(made, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { flag: 'wx' })
    }
    if (isNew) renameSync(made, folder)
    else for (const name of readdirSync(made)) renameSync(join(made, name), join(folder, name))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CreateError('FOLDER_NOT_WRITABLE', `cannot write ${folder}: ${why}`, { cause })
  } finally {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true })
  }
}
