import { parentPort, workerData } from 'node:worker_threads'
import { Failure, objectRules, type Tasks } from '../registry/index.ts'
import { nativeKinds } from '../native/index.ts'
import { protobuf, yamlLibrary } from '../wire/index.ts'
import { nativeTypesOf } from '../schema/index.ts'
import type { Release } from '../version/index.ts'
import type { Answer, Order } from './thread.ts'
import { tasksFor } from './tasks.ts'

await Promise.all([nativeKinds.load(), objectRules.load(), protobuf.load(), yamlLibrary.load()])

const { release }: { readonly release: Release } = workerData
const tasks = tasksFor(await nativeTypesOf(release))

parentPort?.on('message', ({ id, task, input }: Order) => {
  parentPort?.postMessage({ id, ...outcome(task, input) }, [])
})

function outcome(task: keyof Tasks, input: unknown): Omit<Answer, 'id'> {
  try {
    return { result: (tasks[task] as (input: unknown) => unknown)(input) }
  } catch (error) {
    if (error instanceof Failure) return { failure: error.status }
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
