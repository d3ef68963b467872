import { SimulatedClock } from '@homeostat/api'
import { createClient, type ClientOptions } from '../src/client/create-client.ts'
import type { Client } from '../src/client/interface/client.ts'
import type { ApiError } from '../src/requests/api-error.ts'
import { directTransport } from '../src/transport/direct-transport.ts'
import type { Transport } from '../src/transport/transport.ts'
import type { ScriptedApi } from './scripted-api.ts'

/** A client of a scripted API under simulated time, with the field manager `me`. */
export function scriptedClient(
  api: ScriptedApi,
  options: Partial<ClientOptions> = {},
): { clock: SimulatedClock; transport: Transport; client: Client } {
  const clock = new SimulatedClock()
  const transport = directTransport(api.handler, { clock })
  return { clock, transport, client: createClient({ transport, clock, fieldManager: 'me', ...options }) }
}

/** The error with which a request fails. Throws if it succeeds. */
export async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  try {
    await promise
  } catch (error) {
    return error as ApiError
  }
  throw new Error('it succeeded')
}
