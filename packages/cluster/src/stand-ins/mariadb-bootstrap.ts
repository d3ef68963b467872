/** The variables of the official image, under MariaDB's name or MySQL's. */
type Variables = Readonly<Record<string, string | undefined>>

/**
 * The statements that make the users and the database that a container's variables ask for, or what is missing. They may
 * be run twice.
 */
export function bootstrapStatements(env: Variables): { readonly sql: string } | { readonly missing: string } {
  const value = (name: string): string | undefined => env[`MARIADB_${name}`] ?? env[`MYSQL_${name}`]
  const password = value('ROOT_PASSWORD')
  const open = value('ALLOW_EMPTY_ROOT_PASSWORD') ?? value('ALLOW_EMPTY_PASSWORD')
  const random = value('RANDOM_ROOT_PASSWORD')
  // A random password that is not printed would lock root out.
  if (!password && !open && !random) {
    return {
      missing:
        'there is no data yet and no password for root: set MARIADB_ROOT_PASSWORD, MARIADB_ALLOW_EMPTY_ROOT_PASSWORD or MARIADB_RANDOM_ROOT_PASSWORD',
    }
  }
  // The users that come with the tables have no password.
  const lines = ["DELETE FROM mysql.global_priv WHERE User IN ('root', '');", 'FLUSH PRIVILEGES;']
  if (password || open) {
    for (const host of ['localhost', '%']) {
      const root = `'root'@'${host}'`
      lines.push(`CREATE OR REPLACE USER ${root} IDENTIFIED BY ${quoted(password ?? '')};`)
      lines.push(`GRANT ALL PRIVILEGES ON *.* TO ${root} WITH GRANT OPTION;`)
    }
  }
  const database = value('DATABASE')
  if (database) lines.push(`CREATE DATABASE IF NOT EXISTS ${identifier(database)};`)
  const [user, userPassword] = [value('USER'), value('PASSWORD')]
  if (user && userPassword) {
    const account = `${quoted(user)}@'%'`
    lines.push(`CREATE OR REPLACE USER ${account} IDENTIFIED BY ${quoted(userPassword)};`)
    if (database) lines.push(`GRANT ALL PRIVILEGES ON ${identifier(database)}.* TO ${account};`)
  }
  return { sql: `${lines.join('\n')}\n` }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["'", "\\'"],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\u001A', '\\Z'],
  ['\0', '\\0'],
])

/** Quotes a string for SQL, so that no character ends it or its line. */
function quoted(text: string): string {
  return `'${Array.from(text, (character) => ESCAPES.get(character) ?? character).join('')}'`
}

function identifier(name: string): string {
  return `\`${name
    .replaceAll('`', '``')
    .split(/[\n\r]/)
    .join('')}\``
}
