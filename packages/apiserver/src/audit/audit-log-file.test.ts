import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuditLogFile } from './audit-log-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-audit-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const none = { maxSize: 0, maxAge: 0, maxBackups: 0 }

test('an audit log has one line for each event, in order, after what was in the file', async () => {
  const path = join(folder, 'audit.log')
  writeFileSync(path, 'before\n')
  const log = new AuditLogFile(path, none, new SimulatedClock(), expect.unreachable)
  for (let index = 0; index < 1_000; index++) log.write(`event ${index}`)
  await log.close()
  const written = readFileSync(path, 'utf8').split('\n')
  expect(written.slice(0, 3)).toEqual(['before', 'event 0', 'event 1'])
  expect(written).toHaveLength(1_002)
})

test('a new file begins at the maximum size, and only the given number of old files stays', async () => {
  const path = join(folder, 'audit.log')
  const clock = new SimulatedClock()
  const log = new AuditLogFile(path, { ...none, maxSize: 1, maxBackups: 2 }, clock, expect.unreachable)
  for (let index = 0; index < 5; index++) {
    log.write(`${index}${'x'.repeat(900_000)}`)
    await log.close()
    await clock.advance('1m')
  }
  expect(readFileSync(path, 'utf8').startsWith('4')).toBe(true)
  const old = readdirSync(folder).filter((name) => name !== 'audit.log')
  expect(old).toHaveLength(2)
  expect(old.every((name) => /^audit-\d{4}-\d\d-\d\dT[\d-]+\.\d{3}\.log$/.test(name))).toBe(true)
  expect(old.map((name) => readFileSync(join(folder, name), 'utf8')[0])).toEqual(['2', '3'])
})

test('an old file is removed at its maximum age', async () => {
  const path = join(folder, 'audit.log')
  const clock = new SimulatedClock()
  const aged = join(folder, 'audit-2020-01-01T00-00-00.000.log')
  const other = join(folder, 'audit-notes.log')
  for (const file of [aged, other]) {
    writeFileSync(file, 'old')
    utimesSync(file, 0, 0)
  }
  writeFileSync(path, 'x'.repeat(1024 * 1024))
  const log = new AuditLogFile(path, { ...none, maxSize: 1, maxAge: 3 }, clock, expect.unreachable)
  log.write('event')
  await log.close()
  const names = readdirSync(folder)
  expect(names).not.toContain('audit-2020-01-01T00-00-00.000.log')
  expect(names).toContain('audit-notes.log')
  expect(readFileSync(path, 'utf8')).toBe('event\n')
})

test('a file that cannot be written is reported', async () => {
  const problems: string[] = []
  const path = join(folder, 'none', 'audit.log')
  const log = new AuditLogFile(path, none, new SimulatedClock(), (problem) => problems.push(problem))
  log.write('event')
  await log.close()
  expect(problems).toEqual([expect.stringContaining(`the audit log ${path} cannot be written: ENOENT`)])
})
