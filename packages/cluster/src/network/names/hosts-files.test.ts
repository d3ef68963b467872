import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HostsFiles } from './hosts-files.ts'
import type { HostsEntry } from './hosts-lines.ts'

const web: HostsEntry = { service: { namespace: 'shop', name: 'web' }, addresses: ['127.9.128.1'] }
const db: HostsEntry = { service: { namespace: 'shop', name: 'db' }, addresses: ['127.9.0.2', '127.9.0.3'] }
const first: HostsEntry = { ...db, hostname: 'db-0', addresses: ['127.9.0.2'] }

let folder: string
let entries: HostsEntry[]
let clock: SimulatedClock
let files: HostsFiles

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-hosts-'))
  entries = [web]
  clock = new SimulatedClock()
  files = new HostsFiles({ entries: () => entries, clock })
})
afterEach(async () => {
  files.close()
  await rm(folder, { recursive: true })
})

function open(name: string, namespace: string, head = '127.0.0.1\tlocalhost\n') {
  return files.open({ path: join(folder, name), namespace, head })
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** The files have the current entries when no work is left. */
async function change(...now: HostsEntry[]): Promise<void> {
  entries = now
  files.changed()
  files.changed()
  await clock.settle()
}

describe('hosts files', () => {
  it('have short names for Services of their own namespace, and longer ones for all', () => {
    open('own', 'shop')
    open('other', 'home', 'no end')
    const names = 'web.shop.svc.cluster.local web.shop.svc web.shop'
    expect(read('own')).toBe(`127.0.0.1\tlocalhost\n127.9.128.1\t${names} web\n`)
    expect(read('other')).toBe(`no end\n127.9.128.1\t${names}\n`)
    expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o644)
  })

  it('follow changes, and stay the same files', async () => {
    open('own', 'shop', 'ä\n')
    const { ino } = statSync(join(folder, 'own'))
    await change(web, db, first)
    const long = (name: string): string =>
      `${name}.shop.svc.cluster.local ${name}.shop.svc ${name}.shop ${name}\n`
    const lines = [`127.9.0.2\t${long('db')}`, `127.9.0.3\t${long('db')}`, `127.9.0.2\t${long('db-0.db')}`]
    expect(read('own')).toBe(`ä\n127.9.128.1\t${long('web')}${lines.join('')}`)
    await change(web)
    expect(read('own').trimEnd()).toBe(`ä\n127.9.128.1\t${long('web').trimEnd()}`)
    expect(statSync(join(folder, 'own')).ino).toBe(ino)
  })

  it('that are opened later, and those of a namespace without any before, have the same entries', async () => {
    open('early', 'shop')
    await change(web, db)
    open('late', 'shop')
    open('other', 'home')
    expect(read('late')).toBe(read('early'))
    expect(read('other')).toContain('db.shop.svc')
  })

  it('are not written when they are closed or removed', async () => {
    const closed = open('closed', 'shop')
    open('gone', 'shop')
    open('left', 'shop')
    closed.close()
    rmSync(join(folder, 'gone'))
    await change()
    expect([read('closed').includes('web'), existsSync(join(folder, 'gone'))]).toEqual([true, false])
    expect(read('left')).not.toContain('web')
  })

  it('are forgotten once all are closed', async () => {
    open('own', 'shop').close()
    entries = []
    files.changed()
    await clock.settle()
    expect(read('own')).toContain('web')
    open('own', 'shop')
    expect(read('own')).toBe('127.0.0.1\tlocalhost\n')
  })
})
