import { describe, expect, it } from 'vitest'
import { configMap, ConfigMap, failure, ScriptedApi } from '../../test/scripted-api.ts'
import { failureOf, scriptedClient } from '../../test/scripted-client.ts'
import { isConflict } from '../requests/api-error.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

describe('retryOnConflict', () => {
  const conflict = () => failure(409, 'Conflict', { name: 'a' })

  it('tries again, five times in all, and then fails', async () => {
    const api = new ScriptedApi().otherwise(conflict)
    const { clock, client } = scriptedClient(api)
    const outcome = failureOf(retryOnConflict(clock, () => client.update(ConfigMap, configMap('a', '5'))))
    await clock.advance('1s')
    expect(isConflict(await outcome)).toBe(true)
    expect(api.requests).toHaveLength(5)
  })

  it('does not try again after another failure', async () => {
    const api = new ScriptedApi().otherwise(failure(422, 'Invalid', { name: 'a' }))
    const { clock, client } = scriptedClient(api)
    await failureOf(retryOnConflict(clock, () => client.update(ConfigMap, configMap('a', '5'))))
    expect(api.requests).toHaveLength(1)
  })
})
