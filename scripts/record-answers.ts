import { glob, readFile, writeFile } from 'node:fs/promises'
import { Agent, request as httpsRequest } from 'node:https'
import { parseArgs } from 'node:util'
import { ask, type Answer, type Json, type Questions } from '../packages/apiserver/test/answers/question.ts'

/**
 * Asks a real kube-apiserver every question in packages/apiserver/test/answers and writes its answers down, one to a line.
 * A new question starts without an answer. `{ns}` stands for a namespace of its own.
 *
 *     node scripts/record-answers.ts --server https://127.0.0.1:6443 --token secret --ca apiserver.crt [part of a path]…
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, token: { type: 'string' }, ca: { type: 'string' } },
})
const { server, token, ca } = values
if (!server || !token || !ca) {
  console.error(
    'Give the address, a token and the certificate of a kube-apiserver: --server https://127.0.0.1:6443 --token secret --ca apiserver.crt',
  )
  process.exit(2)
}

const agent = new Agent({ keepAlive: true, ca: await readFile(ca) })
const namespace = `answers-${Date.now().toString(36)}`
const space = `/api/v1/namespaces`
await send('POST', space, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
try {
  for await (const file of glob('packages/apiserver/test/answers/*.json')) {
    if (positionals.length > 0 && !positionals.some((part) => file.includes(part))) continue
    const text = await readFile(file, 'utf8')
    const asked = JSON.parse(text.replaceAll('{ns}', namespace)) as Questions
    for (const [index, { ask: how, from, was, set }] of asked.questions.entries()) {
      const question = { ask: how, ...(from && { from }), ...(was && { was }), ...(set && { set }) }
      asked.questions[index] = { ...question, ...(await ask(send, asked, question, `q${index + 1}`)) }
    }
    await writeFile(file, lines(asked).replaceAll(namespace, '{ns}'))
    console.log(`${file}: ${asked.questions.length}`)
  }
} finally {
  await send('DELETE', `${space}/${namespace}`)
  agent.destroy()
}

/** One question to a line, so that a change of an answer is a change of a line. */
function lines({ path, base, questions }: Questions): string {
  const each = questions.map((question) => `    ${JSON.stringify(question)}`)
  return `{\n  "path": ${JSON.stringify(path)},\n  "base": ${JSON.stringify(base)},\n  "questions": [\n${each.join(',\n')}\n  ]\n}\n`
}

function send(method: string, path: string, body?: Json): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const outgoing = httpsRequest(
    `${server}${path}`,
    {
      method,
      agent,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
    },
    (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) as Json }))
    },
  )
  outgoing.on('error', reject)
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}
