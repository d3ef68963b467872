import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** Where systems keep it. PATH is not used: a Pod can set its own, and must not choose the program. */
export const SYSTEM_FOLDERS = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
] as const

/** The path of a program of MariaDB on this machine. */
export function findMariadb(name: 'mariadbd' | 'mariadb-install-db'): string | undefined {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
