import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, cacheFolder } from '../../../benchmarks/runtime/builds.ts'
import { corpus, type Answer, type Asked } from './corpus.ts'

const program = join(cacheFolder('go-webhooks'), 'webhooks')

/** Builds the Go program with the same webhooks, and gives its file. */
export async function buildGoWebhooks(signal: AbortSignal): Promise<string> {
  const source = join(import.meta.dirname, 'go')
  await build(
    {
      peer: 'go-webhooks',
      toolchain: { program: 'go', from: 'https://go.dev/dl' },
      sources: [source],
      result: program,
      steps: [{ file: 'go', args: ['build', '-o', program, '.'], cwd: source }],
    },
    signal,
  )
  return program
}

/** Keeps what controller-runtime answers to each request of the corpus: a line for each. */
export async function recordWebhooks(): Promise<void> {
  await buildGoWebhooks(AbortSignal.timeout(1_800_000))
  const requests = corpus()
  const answers = await askGo(requests)
  const lines = requests.map(
    ({ title }, index) => `  ${JSON.stringify(title)}: ${JSON.stringify(answers[index])}`,
  )
  const folder = new URL('recorded/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('corpus.json', folder), `{\n${lines.join(',\n')}\n}\n`)
}

async function askGo(requests: readonly Asked[]): Promise<Answer[]> {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'ignore'] })
  for (const { path, contentType, body } of requests) {
    const encoded = Buffer.from(body).toString('base64')
    child.stdin.write(`${JSON.stringify({ path, contentType, body: encoded })}\n`)
  }
  child.stdin.end()
  const answers: Answer[] = []
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line) as Answer)
  if (answers.length !== requests.length)
    throw new Error(`Go answered ${answers.length} of ${requests.length} requests`)
  return answers
}
