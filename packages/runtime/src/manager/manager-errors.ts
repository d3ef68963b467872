import { HomeostatError } from '@homeostat/api'

/** A call that the manager accepts only before its start. */
export function startedError(what: string): HomeostatError {
  return new HomeostatError('MANAGER_STARTED', `the manager was already started: ${what}. Create a new one.`)
}

/** A second call of `addWebhooks`. */
export function webhooksTwice(): HomeostatError {
  return new HomeostatError(
    'WEBHOOKS_ADDED_TWICE',
    'the manager already has webhooks: pass all webhooks of the operator to one call of addWebhooks',
  )
}

/** Why `/readyz` fails until all caches have their first lists. */
export function cachesNotSynced(waiting: readonly string[]): HomeostatError {
  return new HomeostatError('CACHES_NOT_SYNCED', `${waiting.join(', ')} wait for their first lists`)
}
