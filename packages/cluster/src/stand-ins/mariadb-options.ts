/** Options of the server that reach nothing but the server itself: neither a file nor a program of this machine. */
const ALLOWED = new Set([
  'character-set-server',
  'collation-server',
  'default-time-zone',
  'event-scheduler',
  'innodb-buffer-pool-size',
  'innodb-flush-log-at-trx-commit',
  'innodb-log-file-size',
  'interactive-timeout',
  'lower-case-table-names',
  'max-allowed-packet',
  'max-connections',
  'port',
  'sql-mode',
  'table-open-cache',
  'transaction-isolation',
  'wait-timeout',
])

/** The options that a Pod gives the server, or why they are refused. The server's own name may come first. */
export function mariadbOptions(
  args: readonly string[],
): { readonly options: readonly string[] } | { readonly refused: string } {
  const [first, ...rest] = args
  const options = first === 'mariadbd' || first === 'mysqld' ? rest : args
  for (const option of options) {
    const name = /^--([a-z][a-z_-]*)=/.exec(option)?.[1]?.replaceAll('_', '-')
    if (name !== undefined && ALLOWED.has(name)) continue
    const shown = option.split('=', 1)[0]
    return {
      refused: `the option ${JSON.stringify(shown)} is not supported: use ${[...ALLOWED].map((allowed) => `--${allowed}=…`).join(', ')}`,
    }
  }
  return { options }
}
