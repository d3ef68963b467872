/** Answers questions about the types of an operator's files, in a web worker. */
import type { TypesAnswered, TypesAsked } from './messages.ts'
import { TypeService, type Declarations } from './type-service.ts'

/** A worker's own scope, as far as it is used here. */
interface WorkerScope {
  postMessage(answer: TypesAnswered): void
  addEventListener(type: 'message', listener: (event: { readonly data: TypesAsked }) => void): void
}

const scope = globalThis as unknown as WorkerScope

/** Messages come while the declarations load, so the listener is there at once. */
const service = load()
scope.addEventListener('message', ({ data }) => void answer(data))

async function load(): Promise<TypeService> {
  const loaded = await fetch(new URL('types.json', import.meta.url))
  return new TypeService((await loaded.json()) as Declarations)
}

async function answer({ id, question }: TypesAsked): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
  scope.postMessage({ id, answer: (await service).answer(question) })
}
