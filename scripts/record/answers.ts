import { glob, readFile, writeFile } from 'node:fs/promises'
import {
  ask,
  type Answer,
  type Questions,
  type Send,
} from '../../packages/apiserver/test/answers/question.ts'
import { startRealServer } from './api-server.ts'

/**
 * Asks a real kube-apiserver every question in packages/apiserver/test/answers/recorded and writes its answers down, one to a line.
 * A new question starts without an answer. `{ns}` stands for a namespace of its own.
 */
export async function recordAnswers(parts: readonly string[]): Promise<void> {
  await using server = await startRealServer()
  const send: Send = async (method, path, body) => (await server.send(method, path, body)) as Answer
  const namespace = `answers-${Date.now().toString(36)}`
  await send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  for await (const file of glob('packages/apiserver/test/answers/recorded/*.json')) {
    if (parts.length > 0 && !parts.some((part) => file.includes(part))) continue
    const text = await readFile(file, 'utf8')
    const asked = JSON.parse(text.replaceAll('{ns}', namespace)) as Questions
    for (const [index, { ask: how, from, was, set }] of asked.questions.entries()) {
      const question = { ask: how, ...(from && { from }), ...(was && { was }), ...(set && { set }) }
      asked.questions[index] = { ...question, ...(await ask(send, asked, question, `q${index + 1}`)) }
    }
    await writeFile(file, lines(asked).replaceAll(namespace, '{ns}'))
    console.log(`${file}: ${asked.questions.length}`)
  }
}

/** One question to a line, so that a change of an answer is a change of a line. */
function lines({ path, base, questions }: Questions): string {
  const each = questions.map((question) => `    ${JSON.stringify(question)}`)
  return `{\n  "path": ${JSON.stringify(path)},\n  "base": ${JSON.stringify(base)},\n  "questions": [\n${each.join(',\n')}\n  ]\n}\n`
}
