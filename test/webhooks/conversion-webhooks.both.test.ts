import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { conversionScenarios } from './conversion-scenarios.ts'
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
  await webhooks?.[Symbol.asyncDispose]()
  await server?.close()
})

test.for(conversionScenarios)('$title', async (scenario) => {
  const played = new PlayedScenario(server, webhooks, scenario)
  await played.install()
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
