import type { Clock } from '@homeostat/api'
import type { ConvertObjects } from '../../registry/index.ts'
import type { CallWebhook } from '../call/call-webhook.ts'

/** Has webhooks convert the objects of custom kinds. What that needs is loaded with the first conversion: most servers have none. */
export function conversionWebhooks(call: CallWebhook, clock: Clock): ConvertObjects {
  let convert: ConvertObjects | undefined

  async function load(): Promise<ConvertObjects> {
    // Loading takes time that no simulated clock knows of.
    const busy = clock.busy('loading conversion webhooks')
    try {
      const { objectConverter } = await import('./object-converter.ts')
      return (convert ??= objectConverter(call, clock))
    } finally {
      busy.end()
    }
  }

  return async (request) => (convert ?? (await load()))(request)
}
