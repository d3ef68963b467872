import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { customResourceDefinition, type ApiRequest } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Widget } from '../../benchmarks/peers/ours/widget.ts'
import { cacheFolder, PeerUnavailable, type Command } from '../../benchmarks/runtime/builds.ts'
import { peers } from '../../benchmarks/runtime/peers.ts'
import { callJson } from '../json-call.ts'

// The first build of the Rust program takes many minutes, so it is made only where that was asked for. The benchmark
// of the runtime builds the same one.
const built = existsSync(join(cacheFolder('kube-rs'), 'release', 'homeostat-benchmark-peer'))
const wanted = built || process.env.HOMEOSTAT_BUILD_CLIENTS === '1'
const OBJECTS = 300

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-kube-rs-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a controller on kube-rs', { timeout: 3_600_000 }, () => {
  test.for(['kube-rs', 'kube-rs-pages'] as const)(
    'follows our API server through its port (%s)',
    async (peer, { skip }) => {
      if (!wanted) skip('it is not built: `npm test clients` does that, with cargo, in many minutes')
      const command = await peers[peer].prepare(AbortSignal.timeout(3_600_000)).catch((error: unknown) => {
        if (error instanceof PeerUnavailable) skip(error.message)
        throw error
      })
      await using server = await ApiServer.start()
      await using port = await server.listen()
      const kubeconfig = join(folder, `${peer}.kubeconfig`)
      writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
      await call(server, 'POST', DEFINITIONS, customResourceDefinition(Widget))
      for (let index = 0; index < OBJECTS; index++) await call(server, 'POST', WIDGETS, widget(index, 0))

      await using program = new Peer(command, kubeconfig)
      expect(await program.next()).toEqual({ event: 'reconciled' })
      // Later changes arrive as events.
      for (let index = 0; index < 20; index++) {
        const body = { spec: { writtenAt: Date.now() * 1000 } }
        await call(server, 'PATCH', `${WIDGETS}/widget-${index}`, body, 'application/merge-patch+json')
      }
      let seen = 0
      while (seen < 20) {
        program.ask()
        const report = (await program.next()) as { latencies: number[] }
        seen = report.latencies.length
      }
      expect(seen).toBe(20)
    },
  )
})

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/benchmarks.homeostat.dev/v1/namespaces/default/widgets'

function widget(index: number, writtenAt: number): object {
  return {
    apiVersion: 'benchmarks.homeostat.dev/v1',
    kind: 'Widget',
    metadata: { name: `widget-${index}` },
    spec: { index, writtenAt, image: 'example/app:1.0', replicas: 1 },
  }
}

async function call(
  server: ApiServer,
  method: ApiRequest['method'],
  path: string,
  body: object,
  type = 'application/json',
): Promise<void> {
  const answer = await callJson(server.handler, method, path, { body, headers: { 'content-type': type } })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
}

/** The program, which says what it has done in lines of JSON; see `benchmarks/peers/README.md`. */
class Peer implements AsyncDisposable {
  readonly #child
  readonly #lines

  constructor({ file, args }: Command, kubeconfig: string) {
    this.#child = spawn(file, [...args, '--objects', String(OBJECTS)], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  ask(): void {
    this.#child.stdin.write('\n')
  }

  async next(): Promise<unknown> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('the program ended')
    return JSON.parse(value)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
  }
}
