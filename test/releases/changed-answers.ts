import { globSync, readFileSync } from 'node:fs'
import {
  ask,
  type Answer,
  type Json,
  type Kept,
  type Questions,
  type Send,
} from '../../packages/apiserver/test/answers/question.ts'
import type { Call } from './release-answers.ts'

const folder = new URL('../../packages/apiserver/test/answers/recorded/', import.meta.url)
const NAMESPACE = 'golden'

/**
 * Asks a server the questions about native kinds whose answers by kube-apiserver 1.36 are recorded, and returns the answers that
 * differ from those, by the name of the question. `only` chooses questions by name. Default: all.
 */
export async function changedAnswers(
  call: Call,
  only: (name: string) => boolean = () => true,
): Promise<Record<string, Kept>> {
  const send: Send = async (method, path, body) => {
    const answer = await call(method, path, { body, headers: { 'user-agent': '' } })
    return { code: answer.status, body: answer.body as Json } satisfies Answer
  }
  await send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  })
  const changed: Record<string, Kept> = {}
  for (const file of globSync('*.json', { cwd: folder.pathname }).sort()) {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const asked = JSON.parse(text.replaceAll('{ns}', NAMESPACE)) as Questions
    for (const [index, { code, made, failed, ...question }] of asked.questions.entries()) {
      const name = `${file.slice(0, -'.json'.length)} ${index + 1}`
      if (!only(name)) continue
      const answer = await ask(send, asked, question, `q${index + 1}`)
      if (textOf(answer) !== textOf({ code, made, failed })) changed[name] = answer
    }
  }
  return changed
}

/** An answer as text: its parts in one order, without those that are undefined. */
export function textOf({ code, made, failed }: Kept): string {
  return JSON.stringify({ code, made, failed })
}
