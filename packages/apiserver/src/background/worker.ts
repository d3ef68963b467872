import { parentPort } from 'node:worker_threads'
import type { Check } from '../registry/background.ts'
import { makeCheck } from './check.ts'

parentPort?.on('message', ({ id, check }: { id: number; check: Check }) => {
  parentPort?.postMessage({ id, ...outcome(check) }, [])
})

function outcome(check: Check): object {
  try {
    return { checked: makeCheck(check) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
