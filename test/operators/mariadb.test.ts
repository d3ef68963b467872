import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { MariaDB, mariadb } from '@homeostat/example-mariadb'
import { VisitorsApp, visitors } from '@homeostat/example-visitors'
import { visitorsImages } from '@homeostat/example-visitors/images'
import { isConditionTrue } from 'homeostat'
import { PersistentVolume, PersistentVolumeClaim, Pod, Secret, StatefulSet } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startLocalCluster, type LocalCluster } from './local-cluster.ts'

const run = promisify(execFile)
const installed = isInstalled()

if (!installed && process.env['CI']) throw new Error('CI needs mariadbd and its client')

const namespace = 'default'
const key = { namespace, name: 'shop' }
const podKey = { namespace, name: 'shop-0' }
const PASSWORD = "it's a \\secret"

describe.skipIf(!installed)('MariaDB with a real mariadbd', { timeout: 240_000 }, () => {
  it('takes a client through its Service, keeps its data over Pods, and lets it go as the spec says', async () => {
    await using stage = await startLocalCluster(MariaDB, mariadb)
    const { client } = stage
    await create(stage, 'Retain')
    await stage.until('Ready', () => isReady(stage))
    await sql(
      stage,
      'CREATE DATABASE shop; CREATE TABLE shop.orders (id INT); INSERT INTO shop.orders VALUES (7)',
    )

    const { metadata } = await client.getOrThrow(Pod, podKey)
    await client.delete(Pod, podKey)
    await stage.until('a new Pod', async () => {
      const pod = await client.get(Pod, podKey)
      return (
        pod !== undefined &&
        pod.metadata.uid !== metadata.uid &&
        isConditionTrue(pod.status?.conditions, 'Ready')
      )
    })
    expect(await sql(stage, 'SELECT id FROM shop.orders')).toBe('7\n')

    await client.delete(MariaDB, key)
    await stage.until('its server to go', () => isGone(stage))
    const [claim] = await client.list(PersistentVolumeClaim, { namespace })
    expect(claim).toMatchObject({ metadata: { name: 'data-shop-0' }, status: { phase: 'Bound' } })

    await create(stage, 'Delete')
    await stage.until('Ready again', () => isReady(stage))
    expect(await sql(stage, 'SELECT id FROM shop.orders')).toBe('7\n')
    await client.delete(MariaDB, key)
    await stage.until('its server and its data to go', async () => {
      const left = [...(await client.list(PersistentVolumeClaim)), ...(await client.list(PersistentVolume))]
      return left.length === 0 && (await isGone(stage))
    })
  })

  it('is a database for the VisitorsApp, too', async () => {
    await using stage = await startLocalCluster(VisitorsApp, visitors, { images: visitorsImages })
    await stage.client.create(VisitorsApp, { metadata: key, spec: { title: 'Hello' } })
    await stage.until('Ready', async () => {
      return isConditionTrue((await stage.client.get(VisitorsApp, key))?.status?.conditions, 'Ready')
    })
    const page = await stage.page({ namespace, name: 'shop-frontend' }, 3000)
    expect(page).toContain('<h1>Hello</h1><p>Visits: 1</p>')
  })

  it('says in the log which variable it lacks, and takes no option that reaches beyond it', async () => {
    await using stage = await startLocalCluster(MariaDB, mariadb)
    const ended = async (name: string, container: object): Promise<string> => {
      const containers = [{ name: 'db', image: 'mariadb:11', ...container }]
      const spec = { restartPolicy: 'Never' as const, containers }
      await stage.client.create(Pod, { metadata: { namespace, name }, spec })
      await stage.until('its end', async () => {
        return (await stage.client.get(Pod, { namespace, name }))?.status?.phase === 'Failed'
      })
      return stage.log(name)
    }
    expect(await ended('without', {})).toContain('no password for root: set MARIADB_ROOT_PASSWORD')
    expect(await ended('curious', { args: ['--datadir=/etc'] })).toContain(
      'the option "--datadir" is not supported',
    )
  })
})

async function create({ client }: LocalCluster, dataPolicy: 'Retain' | 'Delete'): Promise<void> {
  const root = { namespace, name: 'root' }
  if (!(await client.get(Secret, root))) {
    await client.create(Secret, { metadata: root, stringData: { password: PASSWORD } })
  }
  await client.create(MariaDB, { metadata: key, spec: { rootPassword: { name: 'root' }, dataPolicy } })
}

async function isReady({ client }: LocalCluster): Promise<boolean> {
  return isConditionTrue((await client.get(MariaDB, key))?.status?.conditions, 'Ready')
}

async function isGone({ client }: LocalCluster): Promise<boolean> {
  const left = [
    await client.get(MariaDB, key),
    await client.get(StatefulSet, key),
    await client.get(Pod, podKey),
  ]
  return left.every((object) => object === undefined)
}

/** Runs statements with MariaDB's own client, through the Service. */
async function sql({ cluster }: LocalCluster, statements: string): Promise<string> {
  const { host, port } = await cluster.serviceAddress(key, 'mysql')
  const args = ['--no-defaults', '-h', host, '-P', String(port), '-u', 'root', '-N', '-e', statements]
  const { stdout } = await run('mariadb', args, { env: { ...process.env, MYSQL_PWD: PASSWORD } })
  return stdout
}

function isInstalled(): boolean {
  try {
    execFileSync('mariadb', ['--version'], { stdio: 'ignore' })
    execFileSync('/usr/sbin/mariadbd', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
