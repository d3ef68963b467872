// Measures what admission policies cost a create. Run by `npm run bench policies`.
import { parseArgs } from 'node:util'
import { SystemClock } from '@homeostat/api'
import { httpsHandler } from '../../test/conformance/https-handler.ts'
import { compilePrograms, type Programs } from '../apiserver/compile-programs.ts'
import { startServer } from '../apiserver/servers.ts'
import { markdownTable } from '../markdown-table.ts'
import { processUsage } from '../runtime/process-usage.ts'
import { median } from '../runtime/statistics.ts'

const { values } = parseArgs({
  options: {
    policies: { type: 'string', default: '50' },
    creates: { type: 'string', default: '5000' },
    'warm-up': { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h' },
  },
})
const HELP = `Usage: npm run bench policies -- [options]

Creates ConfigMaps over HTTPS on one server without policies and on one with policies that are for each of them, in turns,
and compares the rates. Every second policy validates, with a variable and a match condition; the others validate a label.
Each server is a process of its own. Before the first round both create the same number of ConfigMaps, so that the engine has
compiled what is measured. The server's CPU time for a create is the least of all rounds: unlike the rate, it depends little on
what else the machine does.

Options:
  --policies NUMBER  how many policies; default: 50
  --creates NUMBER   how many ConfigMaps in a round; default: 5000
  --warm-up NUMBER   how many ConfigMaps each server creates before the first round; default: 20000
  --rounds NUMBER    how many rounds; default: 5`

const clock = new SystemClock()
const GROUP = '/apis/admissionregistration.k8s.io/v1'
const IN_FLIGHT = 16

/** The measurements of one round. */
interface Round {
  readonly perSecond: number
  /** CPU time of the server for each create, in microseconds. */
  readonly cpu: number
}

/** A server behind its port, and what sends requests to it. */
async function start(
  policies: number,
  programs: Programs,
): Promise<{ measure(round: number, creates: number): Promise<Round>; close(): Promise<void> }> {
  const server = await startServer('ours', programs)
  const { url, token, certificateAuthority: ca } = server
  const { send, close } = httpsHandler({ url, token, ca })
  const cpuSeconds = (): number => server.pids.reduce((sum, pid) => sum + processUsage(pid).cpuSeconds, 0)
  const post = async (path: string, body: object): Promise<void> => {
    const response = await send({
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    })
    if (!(response.body instanceof Uint8Array)) for await (const _ of response.body) continue
    if (response.status !== 201) throw new Error(`${path} was answered with ${response.status}`)
  }
  for (let index = 0; index < policies; index++) {
    const name = `policy-${index}`
    await post(`${GROUP}/validatingadmissionpolicies`, policy(name, index))
    await post(`${GROUP}/validatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    })
  }
  return {
    async measure(round, creates) {
      let next = 0
      const [begun, cpuBefore] = [clock.monotonic(), cpuSeconds()]
      const worker = async (): Promise<void> => {
        while (next < creates) {
          const name = `round-${round}-${next++}`
          await post('/api/v1/namespaces/default/configmaps', {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, labels: { team: 'a' } },
            data: { key: 'value' },
          })
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
      return {
        perSecond: (creates * 1_000) / (clock.monotonic() - begun),
        cpu: ((cpuSeconds() - cpuBefore) * 1_000_000) / creates,
      }
    },
    async close() {
      close()
      await server[Symbol.asyncDispose]()
    },
  }
}

function policy(name: string, index: number): object {
  const simple = {
    validations: [{ expression: "'team' in object.metadata.labels", message: 'say whose it is' }],
  }
  const composed = {
    variables: [{ name: 'size', expression: 'size(object.data)' }],
    matchConditions: [{ name: 'not-system', expression: "!request.namespace.startsWith('kube-')" }],
    validations: [{ expression: 'variables.size < 100 && variables.size > 0' }],
  }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['configmaps'],
          },
        ],
      },
      ...(index % 2 === 0 ? simple : composed),
    },
  }
}

const columns = ['', 'creates a second, median', 'CPU of a create, µs, least']

function summary(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)) ?? Number.NaN,
    cpu: Math.min(...rounds.map(({ cpu }) => cpu)),
  }
}

if (values.help) console.log(HELP)
else {
  const count = Number(values.policies)
  const programs = await compilePrograms(new AbortController().signal)
  const [without, having] = [await start(0, programs), await start(count, programs)]
  const rounds: { without: Round[]; having: Round[] } = { without: [], having: [] }
  const [warmUp, creates] = [Number(values['warm-up']), Number(values.creates)]
  await without.measure(-1, warmUp)
  await having.measure(-1, warmUp)
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.without.push(await without.measure(round, creates))
    rounds.having.push(await having.measure(round, creates))
  }
  await without.close()
  await having.close()
  const [before, after] = [summary(rounds.without), summary(rounds.having)]
  const less = (share: number): string => `${((1 - share) * 100).toFixed(0)} % fewer creates`
  console.log(
    markdownTable(columns, [
      ['without policies', before.perSecond.toFixed(0), before.cpu.toFixed(0)],
      [
        `with ${count} policies`,
        `${after.perSecond.toFixed(0)} (${less(after.perSecond / before.perSecond)})`,
        `${after.cpu.toFixed(0)} (${less(before.cpu / after.cpu)})`,
      ],
    ]).join('\n'),
  )
}
