import { expect, test } from 'vitest'
import { bootstrapStatements } from './mariadb-bootstrap.ts'

const sql = (env: Record<string, string>): string[] => {
  const statements = bootstrapStatements(env)
  if ('missing' in statements) throw new Error(statements.missing)
  return statements.sql.trimEnd().split('\n')
}

test('root gets the password, for local and remote connections, and no user is left without one', () => {
  expect(sql({ MARIADB_ROOT_PASSWORD: 'secret' })).toEqual([
    "DELETE FROM mysql.global_priv WHERE User IN ('root', '');",
    'FLUSH PRIVILEGES;',
    "CREATE OR REPLACE USER 'root'@'localhost' IDENTIFIED BY 'secret';",
    "GRANT ALL PRIVILEGES ON *.* TO 'root'@'localhost' WITH GRANT OPTION;",
    "CREATE OR REPLACE USER 'root'@'%' IDENTIFIED BY 'secret';",
    "GRANT ALL PRIVILEGES ON *.* TO 'root'@'%' WITH GRANT OPTION;",
  ])
})

test('MySQL’s names of variables are accepted too; with a random password there is no root', () => {
  const env = { MYSQL_RANDOM_ROOT_PASSWORD: 'yes', MYSQL_DATABASE: 'd', MYSQL_USER: 'u', MYSQL_PASSWORD: 'p' }
  expect(sql(env).slice(2)).toEqual([
    'CREATE DATABASE IF NOT EXISTS `d`;',
    "CREATE OR REPLACE USER 'u'@'%' IDENTIFIED BY 'p';",
    "GRANT ALL PRIVILEGES ON `d`.* TO 'u'@'%';",
  ])
})

test('special characters in a value do not end it', () => {
  const lines = sql({
    MARIADB_ROOT_PASSWORD: "'; DROP DATABASE mysql; \\\n--",
    MARIADB_DATABASE: 'a`; DROP DATABASE mysql; `',
  })
  expect(lines[2]).toBe(
    "CREATE OR REPLACE USER 'root'@'localhost' IDENTIFIED BY '\\'; DROP DATABASE mysql; \\\\\\n--';",
  )
  expect(lines.at(-1)).toBe('CREATE DATABASE IF NOT EXISTS `a``; DROP DATABASE mysql; ```;')
  expect(lines).toHaveLength(7)
})

test('without a variable for root’s password nothing is created, and the message names the variables', () => {
  expect(bootstrapStatements({ MARIADB_DATABASE: 'd' })).toEqual({
    missing: expect.stringContaining('set MARIADB_ROOT_PASSWORD') as string,
  })
})
