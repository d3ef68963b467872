import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { ScriptedApi } from '../../test/scripted-api.ts'
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts'
import { directTransport } from '../transport/index.ts'
import { createElection } from './create-election.ts'

it('no simulated time passes while the name of the process is read', async () => {
  const clock = new SimulatedClock()
  const transport = directTransport(new ScriptedApi().handler, { clock })
  const shared = { clock, logger: silentLogger, metrics: new MetricsRegistry() }
  const election = createElection({ name: 'one' }, { transport, namespace: 'default' }, shared)
  const made = election.then(() => clock.now())
  const begin = clock.now()
  await clock.advance('1m')
  expect(await made).toBe(begin)
})
