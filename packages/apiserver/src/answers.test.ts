import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ask, type Answer, type Json, type Questions } from '../test/answers/question.ts'
import { DIFFERENT } from '../test/answers/different.ts'
import { callJson } from './testing/json-caller.ts'
import { TestEnvironment } from './testing/index.ts'

/**
 * Sends every request of `test/answers/recorded` to our server, and compares the whole answer with that of a real
 * kube-apiserver: the code, the causes in order, and the defaults. `npm run record answers` asks the real one again.
 */
const folder = new URL('../test/answers/recorded/', import.meta.url)
/** The user whose requests were recorded on the real server. */
const ASKER = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] }
const files = globSync('*.json', { cwd: folder.pathname })

describe.each(files.sort())('%s is answered as by a real kube-apiserver', (file) => {
  const kind = file.slice(0, -'.json'.length)
  const asked = JSON.parse(
    readFileSync(new URL(file, folder), 'utf8').replaceAll('{ns}', 'golden'),
  ) as Questions

  it('for every request', async () => {
    await using env = await TestEnvironment.start()
    const send = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      path: string,
      body?: Json,
    ): Promise<Answer> => {
      const answer = await callJson(env.server.handlerFor(ASKER), method, path, {
        body,
        headers: { 'user-agent': '' },
      })
      return { code: answer.code, body: answer.body as Json }
    }
    await send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'golden' },
    })
    const wrong: unknown[] = []
    const right: unknown[] = []
    for (const [index, { code, made, failed, ...question }] of asked.questions.entries()) {
      const name = `${kind} ${index + 1}`
      const expected = { name, question, answer: { code, made, failed } }
      const answer = await ask(send, asked, question, `q${index + 1}`)
      const ours = { name, question, answer: { code: answer.code, made: answer.made, failed: answer.failed } }
      const same = JSON.stringify(ours) === JSON.stringify(expected)
      if (DIFFERENT[name]) {
        if (same) throw new Error(`${name} no longer differs: take it out of different.ts`)
        continue
      }
      if (!same) {
        wrong.push(ours)
        right.push(expected)
      }
    }
    expect(wrong).toEqual(right)
  })
})
