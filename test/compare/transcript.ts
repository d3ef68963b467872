import type { ApiRequest } from '@homeostat/api'
import { comparable } from '../conformance/comparable.ts'
import { headersOf } from '../conformance/answer.ts'
import { send } from '../conformance/steps.ts'
import type { JsonCallOptions } from '../json-call.ts'
import type { TestServer } from '../test-server.ts'

/** One request of a conversation. In its path, `~` stands for the test's namespace: `/api/v1/~/pods`. */
export interface Step extends JsonCallOptions {
  readonly say: string
  readonly method: ApiRequest['method']
  readonly path: string
  /** Compares the status and the reason alone: the message speaks of how the server is made. */
  readonly reasonOnly?: boolean
  /** Asks again while the answer has this status: a real server judges by a copy of what an earlier step has made. */
  readonly notYet?: number
}

/**
 * Holds a conversation with a server that a test has prepared, and writes down what it answered in the form in which
 * scenarios are compared. Two servers that behave the same write the same.
 */
export async function transcript(server: TestServer, steps: readonly Step[]): Promise<string> {
  const answers = []
  for (const { say, method, path, reasonOnly, notYet, ...options } of steps) {
    const full = path.replace('/~', `/namespaces/${server.namespace}`)
    const body = withNamespace(options.body, server.namespace)
    const {
      status,
      headers,
      body: answered,
    } = await server.until(say, async () => {
      const answer = await server.call(method, full, { ...options, body })
      return answer.status !== notYet && answer
    })
    answers.push({
      step: send(method, path),
      answer: {
        code: status,
        headers: headersOf({ headers }),
        body: reasonOnly ? { reason: answered.reason } : answered,
      },
    })
  }
  const told = comparable(answers, server.namespace, false).map((answer, index) => {
    const { say, method, path } = steps[index]!
    return { say, request: `${method} ${path}`, ...answer }
  })
  return `${JSON.stringify(told, null, 2)}\n`
}

function withNamespace(body: unknown, namespace: string): unknown {
  if (body === undefined || typeof body === 'string') return body
  return JSON.parse(JSON.stringify(body).replaceAll('"~"', JSON.stringify(namespace)))
}
