import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

/**
 * The program for a name, by this machine's own PATH: a PATH that a Pod sets must not change which
 * program an allowed name is. A name with a slash is a path, relative to the folder.
 */
export function findProgram(name: string, folder: string): string | undefined {
  if (name === '' || name.includes('\0')) return undefined
  if (name.includes('/')) return isProgram(resolve(folder, name)) ? resolve(folder, name) : undefined
  const folders = (process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter(Boolean)
  return folders.map((folder) => resolve(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
