/**
 * The program of a container of the image `mariadb`: creates the data folder if it is empty, then runs this machine's
 * `mariadbd`. It has the options of the official image: passwords, a database and a user by variables, options as
 * arguments.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { bootstrapStatements } from './mariadb-bootstrap.ts'
import { mariadbOptions } from './mariadb-options.ts'
import { findMariadb, SYSTEM_FOLDERS } from './mariadb-program.ts'

const root = process.env['HOME'] ?? process.cwd()
const data = join(root, 'var/lib/mysql')
/** The only folder that statements may read and write files in. */
const files = join(root, 'var/lib/mysql-files')
/** Written when the data is complete. Without it, the data of a start that was killed is created again. */
const COMPLETE = 'homeostat-complete'
/** The environment of the programs, without variables of the Pod. */
const env = { PATH: [...SYSTEM_FOLDERS, '/bin'].join(':'), HOME: root, LANG: 'C.UTF-8' }

function main(): void {
  const server = findMariadb('mariadbd')
  if (server === undefined) return end('mariadbd was removed from this machine')
  const options = mariadbOptions(process.argv.slice(2))
  if ('refused' in options) return end(options.refused)
  for (const folder of [data, files]) mkdirSync(folder, { recursive: true })
  const common = ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${data}`]
  if (!existsSync(join(data, COMPLETE)) && !makeData(server, common)) return
  const args = [
    server,
    ...common,
    ...options.options,
    // A Pod cannot change the options that follow. The socket's path is relative to the data folder, since long ones
    // are refused.
    `--bind-address=${process.env['HOMEOSTAT_POD_ADDRESS'] ?? '127.0.0.1'}`,
    '--socket=server.sock',
    '--pid-file=server.pid',
    `--secure-file-priv=${files}`,
    '--skip-name-resolve',
  ]
  process.execve?.(server, args, env)
}

/** Creates the system tables, and the users that the variables name. False where that failed; the log says why. */
function makeData(server: string, common: readonly string[]): boolean {
  const statements = bootstrapStatements(process.env)
  if ('missing' in statements) {
    end(statements.missing)
    return false
  }
  process.stdout.write('creating the data\n')
  const install = findMariadb('mariadb-install-db')
  if (install === undefined) {
    end('this machine has mariadbd but not mariadb-install-db, which creates its data')
    return false
  }
  const steps: [string, readonly string[], string?][] = [
    [install, [...common, '--auth-root-authentication-method=normal', '--skip-test-db']],
    [server, [...common, '--bootstrap', '--skip-networking'], statements.sql],
  ]
  for (const [program, args, input] of steps) {
    const done = spawnSync(program, args, { input: input ?? '', env })
    if (done.status === 0) continue
    process.stderr.write(done.stdout)
    process.stderr.write(done.stderr)
    end(`${program} failed with ${done.signal ?? `exit code ${done.status}`}`)
    return false
  }
  writeFileSync(join(data, COMPLETE), '')
  return true
}

function end(why: string): void {
  process.stderr.write(`mariadb: ${why}\n`)
  process.exitCode = 1
}

main()
