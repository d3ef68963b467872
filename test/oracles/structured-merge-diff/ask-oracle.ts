import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { build, cacheFolder } from '../../../benchmarks/runtime/builds.ts'
import { comparable, type Conversation, type JsonObject, type Outcome } from './conversation.ts'

const program = join(cacheFolder('structured-merge-diff-oracle'), 'oracle')

/** Holds conversations with Kubernetes' own field managers, by the Go program in `go/`, which is built when it has changed. */
export async function askOracle(conversations: readonly Conversation[]): Promise<Outcome[][]> {
  const source = join(import.meta.dirname, 'go')
  await build(
    {
      peer: 'structured-merge-diff-oracle',
      toolchain: { program: 'go', from: 'https://go.dev/dl' },
      sources: [source],
      result: program,
      steps: [{ file: 'go', args: ['build', '-o', program, '.'], cwd: source }],
    },
    AbortSignal.timeout(600_000),
  )
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  child.stdin.end(conversations.map((one) => `${JSON.stringify(told(one))}\n`).join(''))
  const outcomes: Outcome[][] = []
  for await (const line of createInterface({ input: child.stdout })) {
    outcomes.push((JSON.parse(line) as Outcome[]).map(comparable))
  }
  const code = await ended
  if (code !== 0 || outcomes.length !== conversations.length) {
    throw new HomeostatError(
      'ORACLE_FAILED',
      `the oracle ended with ${code} after ${outcomes.length} answers`,
    )
  }
  return outcomes
}

const text = { type: 'string' }
const texts = { type: 'object', additionalProperties: text }

/** The conversation with its schema as models that Kubernetes reads. */
function told({ properties, steps }: Conversation): JsonObject {
  return {
    steps,
    models: {
      thing: {
        type: 'object',
        properties: { ...properties, apiVersion: text, kind: text, metadata: { $ref: '#/definitions/meta' } },
        'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'Thing' }],
      },
      meta: {
        type: 'object',
        properties: {
          name: text,
          labels: texts,
          annotations: texts,
          managedFields: { type: 'array', items: { type: 'object', additionalProperties: true } },
          uid: text,
          finalizers: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        },
      },
    },
  }
}
