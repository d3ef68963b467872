import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Cluster } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubectlVersion } from './goldens.ts'

const run = promisify(execFile)
const found = kubectlVersion('kubectl') !== undefined
if (!found && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

const STATEFUL_SET = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: db, image: "pause:1" }] }
`

describe.skipIf(!found)('kubectl rollout on a cluster', { timeout: 120_000 }, () => {
  let cluster: Cluster
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'homeostat-rollout-'))
    cluster = await Cluster.start()
    writeFileSync(join(folder, 'kubeconfig'), cluster.kubeconfig(), { mode: 0o600 })
    writeFileSync(join(folder, 'stateful-set.yaml'), STATEFUL_SET)
  })
  afterAll(async () => {
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function kubectl(command: string): Promise<string[]> {
    const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') }
    const { stdout } = await run('kubectl', command.split(' '), { cwd: folder, env, timeout: 90_000 })
    return stdout.trimEnd().split('\n')
  }
  const settled = async (what: string): Promise<string | undefined> =>
    (await kubectl(`rollout status ${what} --timeout=60s`)).at(-1)
  async function revisions(what: string): Promise<string[]> {
    const lines = await kubectl(`rollout history ${what}`)
    return lines
      .slice(2)
      .map((line) => line.trim().split(/\s+/)[0] ?? '')
      .filter(Boolean)
  }
  async function images(what: string): Promise<string[]> {
    return kubectl(`get ${what} -o jsonpath={.spec.template.spec.containers[*].image}`)
  }

  it('follows a Deployment forth and back', async () => {
    const done = 'deployment "web" successfully rolled out'
    await kubectl('create deployment web --image=pause:1 --replicas=2')
    expect(await settled('deployment/web')).toBe(done)
    await kubectl('set image deployment/web pause=pause:2')
    expect(await settled('deployment/web')).toBe(done)
    expect(await revisions('deployment/web')).toEqual(['1', '2'])
    expect((await kubectl('rollout history deployment/web --revision=1')).join('\n')).toContain('pause:1')

    expect(await kubectl('rollout undo deployment/web')).toEqual(['deployment.apps/web rolled back'])
    expect(await settled('deployment/web')).toBe(done)
    expect(await revisions('deployment/web')).toEqual(['2', '3'])
    expect(await images('deployment/web')).toEqual(['pause:1'])

    await kubectl('rollout restart deployment/web')
    expect(await settled('deployment/web')).toBe(done)
    expect(await revisions('deployment/web')).toEqual(['2', '3', '4'])

    await kubectl('rollout undo deployment/web --to-revision=2')
    expect(await settled('deployment/web')).toBe(done)
    expect(await images('deployment/web')).toEqual(['pause:2'])
    const described = (await kubectl('describe deployment web')).join('\n')
    expect(described).toMatch(/Progressing +True +NewReplicaSetAvailable/)
    // Events are written beside what they are about.
    const events = async () => (await kubectl('describe deployment web')).join('\n')
    await expect.poll(events).toMatch(/Scaled up replica set web-\w+ from 0 to 2/)
  })

  it('pauses and resumes a Deployment', async () => {
    await kubectl('create deployment slow --image=pause:1')
    await settled('deployment/slow')
    await kubectl('rollout pause deployment/slow')
    await kubectl('set image deployment/slow pause=pause:2')
    expect(await revisions('deployment/slow')).toEqual(['1'])
    await kubectl('rollout resume deployment/slow')
    expect(await settled('deployment/slow')).toBe('deployment "slow" successfully rolled out')
    expect(await revisions('deployment/slow')).toEqual(['1', '2'])
  })

  it('says that a rollout is past its deadline', async () => {
    await kubectl('create deployment stuck --image=nothing/is-mapped-to-this')
    await kubectl('patch deployment stuck -p {"spec":{"progressDeadlineSeconds":1}}')
    await expect(kubectl('rollout status deployment/stuck --timeout=30s')).rejects.toMatchObject({
      stderr: expect.stringContaining('deployment "stuck" exceeded its progress deadline'),
    })
  })

  it('follows a StatefulSet forth and back', async () => {
    await kubectl('apply -f stateful-set.yaml')
    expect(await settled('sts/db')).toMatch(
      /^partitioned roll out complete: 2 new pods have been updated\.\.\.$|^statefulset rolling update complete 2 pods at revision db-\w+\.\.\.$/,
    )
    await kubectl('set image sts/db db=pause:2')
    expect(await settled('sts/db')).toMatch(/roll(ing update|\s?out) complete/)
    expect(await revisions('sts/db')).toEqual(['1', '2'])
    expect((await kubectl('rollout history sts/db --revision=1')).join('\n')).toContain('pause:1')

    expect(await kubectl('rollout undo sts/db')).toEqual(['statefulset.apps/db rolled back'])
    await settled('sts/db')
    expect(await images('sts/db')).toEqual(['pause:1'])
    expect(await revisions('sts/db')).toEqual(['2', '3'])

    await kubectl('rollout restart sts/db')
    await settled('sts/db')
    expect(await revisions('sts/db')).toEqual(['2', '3', '4'])
    const described = (await kubectl('describe sts db')).join('\n')
    expect(described).toContain('Create Pod db-0 in StatefulSet db successful')
  })
})
