// Measures what admission policies cost a create. Run by `npm run bench policies`.
import { parseArgs } from 'node:util'
import { SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { httpsHandler } from '../../test/conformance/https-handler.ts'
import { markdownTable } from '../markdown-table.ts'

const { values } = parseArgs({
  options: {
    policies: { type: 'string', default: '50' },
    creates: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h' },
  },
})
const HELP = `Usage: npm run bench policies -- [options]

Creates ConfigMaps over HTTPS on one server without policies and on one with policies that are for each of them, in turns,
and compares the rates. Every second policy validates, with a variable and a match condition; the others validate a label.

Options:
  --policies NUMBER  how many policies; default: 50
  --creates NUMBER   how many ConfigMaps in a round; default: 3000
  --rounds NUMBER    how many rounds; default: 5`

const clock = new SystemClock()
const GROUP = '/apis/admissionregistration.k8s.io/v1'
const IN_FLIGHT = 16

/** A server behind its port, and what sends requests to it. */
async function start(
  policies: number,
): Promise<{ rate(round: number): Promise<number>; close(): Promise<void> }> {
  const server = await ApiServer.start({})
  const port = await server.listen()
  const { send, close } = httpsHandler({ url: port.url, token: port.token, ca: port.certificateAuthority })
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
    async rate(round) {
      const creates = Number(values.creates)
      let next = 0
      const begun = clock.monotonic()
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
      return (creates * 1000) / (clock.monotonic() - begun)
    },
    async close() {
      close()
      await server.close()
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

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

if (values.help) console.log(HELP)
else {
  const count = Number(values.policies)
  const [without, having] = [await start(0), await start(count)]
  const rates: { without: number[]; having: number[] } = { without: [], having: [] }
  await without.rate(-1)
  await having.rate(-1)
  for (let round = 0; round < Number(values.rounds); round++) {
    rates.without.push(await without.rate(round))
    rates.having.push(await having.rate(round))
  }
  await without.close()
  await having.close()
  const [before, after] = [median(rates.without), median(rates.having)]
  console.log(
    markdownTable(
      ['', 'creates a second'],
      [
        ['without policies', before.toFixed(0)],
        [`with ${count} policies`, `${after.toFixed(0)} (${((1 - after / before) * 100).toFixed(0)} % less)`],
      ],
    ).join('\n'),
  )
}
