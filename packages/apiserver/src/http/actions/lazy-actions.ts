import type { ApiResponse } from '@homeostat/api'
import { LazyModule } from '../../work/index.ts'
import { isWrite, type Call } from '../request/call.ts'
import { READ_ACTIONS } from './read-actions.ts'

/**
 * The actions that write, and those of subresources. They import all that a write needs: decoding, patches, managed fields. A
 * server that only answers reads never loads them.
 */
export const lateActions = new LazyModule(
  'the module of the actions that write',
  () => import('./late-actions.ts'),
)

/** Carries out the verb of a request for objects; undefined where there is no such verb. */
export function act(call: Call): ApiResponse | Promise<ApiResponse> | undefined {
  const actions = isWrite(call) ? lateActions.get().WRITE_ACTIONS : READ_ACTIONS
  return actions[call.verb]?.(call)
}
