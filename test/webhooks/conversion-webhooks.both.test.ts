import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { conversionScenarios, type ConversionScenario } from './conversion-scenarios.ts'
import { converters, slowConverter } from './converters.ts'
import { PlayedScenario } from './played-scenario.ts'
import { WebhookServer } from './webhook-server.ts'

let server: TestServer
let webhooks: WebhookServer

beforeAll(async () => {
  server = await startTestServer()
  webhooks = await WebhookServer.start(converters)
})
afterAll(async () => {
  slowConverter.resolve()
  // Uninstalls those whose tests did not run.
  for (const batch of batches.values())
    await Promise.all([...(await batch).values()].map((played) => played.uninstall()))
  await webhooks?.[Symbol.asyncDispose]()
  await server?.close()
})

/** So many scenarios are installed at once: a real server waits two seconds before it creates the first object of a definition. */
const BATCH = 12
const batches = new Map<number, Promise<ReadonlyMap<ConversionScenario, PlayedScenario>>>()

async function installed(scenario: ConversionScenario): Promise<PlayedScenario> {
  const number = Math.floor(conversionScenarios.indexOf(scenario) / BATCH)
  let batch = batches.get(number)
  if (!batch) batches.set(number, (batch = installBatch(number)))
  return (await batch).get(scenario)!
}

async function installBatch(number: number): Promise<ReadonlyMap<ConversionScenario, PlayedScenario>> {
  const scenarios = conversionScenarios.slice(number * BATCH, (number + 1) * BATCH)
  const batch = new Map(scenarios.map((one) => [one, new PlayedScenario(server, webhooks, one)]))
  await Promise.all([...batch.values()].map((played) => played.install()))
  return batch
}

/** The rule of managed fields that some scenarios show. */
const RULES: Readonly<Record<string, string>> = {
  'apply in the other version': 'F29: ',
  'apply by the same manager in both versions': 'F29: ',
  'apply against another manager of another version': 'F29: ',
  'an update takes fields from a manager of another version': 'F29: ',
}
const cited = conversionScenarios.map((scenario) => {
  return [`${RULES[scenario.title] ?? ''}${scenario.title}`, scenario] as const
})

test.for(cited)('%s', async ([, scenario]) => {
  const played = await installed(scenario)
  await played.admit()
  const told: unknown[] = []
  try {
    for (const step of scenario.steps) {
      if ('define' in step) await played.define(step.define)
      else if ('watch' in step) told.push(await played.watch(step))
      else told.push(await played.send(step))
    }
  } finally {
    await played.uninstall()
  }
  const name = scenario.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const file = new URL(`recorded/conversion/${name}.json`, import.meta.url)
  await expect(`${JSON.stringify(told, undefined, 1)}\n`).toMatchFileSnapshot(file.pathname)
})
