import { extname, join } from 'node:path'
import type { CommandImage } from '../images/index.ts'
import { findMariadb } from './mariadb-program.ts'

/** A real database server: the `mariadbd` of this machine, on the data that is mounted at `/var/lib/mysql`. */
export function mariadbImage(find: typeof findMariadb = findMariadb): CommandImage {
  return {
    command: process.execPath,
    entry: [join(import.meta.dirname, `mariadb-server${extname(import.meta.filename)}`)],
    problem() {
      if (find('mariadbd')) return undefined
      return 'this image runs the mariadbd of this machine, which is missing: install MariaDB (Debian: apt-get install mariadb-server), or map another image to the name'
    },
  }
}
