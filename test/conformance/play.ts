import { HomeostatError, type ApiRequest } from '@homeostat/api'
import { headersOf, readAnswer, type Answer } from './answer.ts'
import { comparable, type Comparable } from './comparable.ts'
import { fill, fillText } from './placeholders.ts'
import type { EventsStep, RequestStep, Scenario, Step } from './scenario.ts'
import type { Subject } from './subject.ts'
import { Watching } from './watching.ts'

/**
 * Plays a scenario in a namespace of its own, which must not be there yet, and gives what every step brought in a form in
 * which two servers can be compared. Steps that only let time pass bring nothing.
 */
export async function play(subject: Subject, scenario: Scenario, namespace: string): Promise<Comparable[]> {
  await using stage = new Stage(subject, namespace)
  await stage.open()
  const answers: { step: Step; answer: Answer }[] = []
  for (const step of scenario.steps) {
    const answer = await stage.take(step).catch(impossible)
    if (answer) answers.push({ step, answer })
  }
  return comparable(answers, namespace, scenario.times)
}

/** Stands for the answer to a step that cannot be taken, since an earlier answer was not as expected. */
function impossible(error: unknown): Answer {
  if (!(error instanceof HomeostatError)) throw error
  return { code: 0, headers: {}, body: error.message }
}

class Stage implements AsyncDisposable {
  readonly #subject: Subject
  readonly #namespace: string
  readonly #kept = new Map<string, unknown>()
  readonly #watches = new Map<string, Watching>()
  readonly #abort = new AbortController()

  constructor(subject: Subject, namespace: string) {
    this.#subject = subject
    this.#namespace = namespace
  }

  async open(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } }
    const { status } = await this.#subject.send(this.#request('POST', '/api/v1/namespaces', body))
    if (status !== 201) throw new HomeostatError('NO_STAGE', `the namespace was not made: ${status}`)
  }

  async take(step: Step): Promise<Answer | undefined> {
    switch (step.step) {
      case 'request':
        return this.#ask(step)
      case 'watch': {
        const request = this.#request('GET', step.path, undefined, step.headers)
        const response = await this.#subject.send(request)
        if (response.status !== 200) return readAnswer(response)
        this.#watches.set(step.name, new Watching(response))
        return { code: response.status, headers: headersOf(response) }
      }
      case 'events':
        return this.#hear(step)
      case 'pass':
        await this.#subject.pass(step.duration)
        return undefined
    }
  }

  async #ask(step: RequestStep): Promise<Answer> {
    const ask = async () =>
      readAnswer(
        await this.#subject.send(this.#request(step.method, step.path, step.body, step.headers ?? {})),
      )
    let answer = await ask()
    if (step.until !== undefined && answer.code !== step.until) {
      await this.#subject.until(async () => {
        answer = await ask()
        return answer.code === step.until
      })
    }
    this.#kept.set('last', answer.body)
    if (step.as) this.#kept.set(step.as, answer.body)
    return answer
  }

  async #hear({ name, count, end }: EventsStep): Promise<Answer> {
    const watch = this.#watches.get(name)
    if (!watch) throw new HomeostatError('NO_WATCH', `no watch named ${name} was opened`)
    await this.#subject.until(() => watch.ended || (watch.count >= count && !end))
    await this.#subject.settle()
    const told = watch.take()
    this.#kept.set('last', told.events)
    return told
  }

  #request(
    method: ApiRequest['method'],
    template: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): ApiRequest {
    const path = fillText(template.replace('/~', '/namespaces/{ns}'), this.#namespace, this.#kept)
    const question = path.indexOf('?')
    const filled = fill(headers, this.#namespace, this.#kept) as Record<string, string>
    return {
      method,
      path: question < 0 ? path : path.slice(0, question),
      query: new URLSearchParams(question < 0 ? '' : path.slice(question + 1)),
      headers: {
        accept: 'application/json',
        'user-agent': 'conformance/1.0',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...filled,
      },
      body: body === undefined ? undefined : this.#bytes(body),
      signal: this.#abort.signal,
    }
  }

  #bytes(body: unknown): Uint8Array {
    if (body instanceof Uint8Array) return body
    const filled = fill(body, this.#namespace, this.#kept)
    return new TextEncoder().encode(typeof filled === 'string' ? filled : JSON.stringify(filled))
  }

  /** Ends what is still open. The namespace's deletion is not waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort()
    const path = `/api/v1/namespaces/${this.#namespace}`
    const { signal: _, ...request } = this.#request('DELETE', path)
    const response = await this.#subject.send(request)
    await readAnswer(response)
  }
}
