import type { Clock } from '@homeostat/api'
import type { ConvertObjects } from '../../registry/index.ts'
import type { CallWebhook } from '../call/call-webhook.ts'

/**
 * Converts objects of custom kinds by webhooks. Its modules are loaded with the first conversion: most servers have
 * none.
 */
export function conversionWebhooks(call: CallWebhook, clock: Clock): ConvertObjects {
  let convert: ConvertObjects | undefined

  async function load(): Promise<ConvertObjects> {
    // Loading takes real time, during which a simulated clock must not advance.
    using _ = clock.busy('loading conversion webhooks')
    const { objectConverter } = await import('./object-converter.ts')
    return (convert ??= objectConverter(call, clock))
  }

  return async (request) => (convert ?? (await load()))(request)
}
