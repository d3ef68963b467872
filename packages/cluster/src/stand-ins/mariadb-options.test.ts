import { expect, test } from 'vitest'
import { mariadbOptions } from './mariadb-options.ts'

test('options of the server itself are accepted, with or without its name before them', () => {
  const options = ['--port=3307', '--max_connections=10', '--character-set-server=utf8mb4']
  expect(mariadbOptions(options)).toEqual({ options })
  expect(mariadbOptions(['mariadbd', ...options])).toEqual({ options })
  expect(mariadbOptions([])).toEqual({ options: [] })
})

test.each([
  '--datadir=/etc',
  '--init-file=/etc/passwd',
  '--plugin-load=x.so',
  '--bind-address=0.0.0.0',
  '--log-error=/tmp/x',
  '--port',
  '-P3306',
  'port=1',
  '--PORT=1',
])('%s, which reaches beyond the server or is not an option, is refused by name', (option) => {
  const { refused } = mariadbOptions(['--port=3306', option]) as { refused: string }
  expect(refused).toContain(`the option ${JSON.stringify(option.split('=', 1)[0])} is not supported: use`)
})
