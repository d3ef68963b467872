import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const GROUP = 'rule-costs.homeostat.test'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const text = { type: 'string', maxLength: 63 }
const list = { type: 'array', maxItems: 10, items: text }

/** Sends a definition with this rule in a dry run; gives the code of the answer and the messages of its causes. */
async function answerTo(rule: string): Promise<[number, ...string[]]> {
  const spec = {
    type: 'object',
    properties: { name: text, namespace: text, 'a-b': text, names: list, import: list },
    'x-kubernetes-validations': [{ rule }],
  }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const { status, body } = await server.call('POST', `${DEFINITIONS}?dryRun=All`, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  })
  return [status, ...(body.details?.causes ?? []).map(({ message }: { message: string }) => message)]
}
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe('the estimated cost of a rule', () => {
  test.each([
    'self.name == oldSelf.name',
    'self.__namespace__ == oldSelf.__namespace__',
    'self.a__dash__b == oldSelf.a__dash__b',
    'self.namespace == "a"',
    'self.namespace.size() < 10',
    'self.names.all(name, name == "a")',
    'self.__import__.all(name, name == "a")',
  ])('is low: %s', async (rule) => {
    expect(await answerTo(rule)).toEqual([201])
  })

  test.each([
    'self.namespace == oldSelf.namespace',
    'self.namespace == oldSelf.__namespace__ + self.namespace',
    'self.import.all(name, name == "a")',
    'self.__import__.exists(name, self.namespace.contains(name))',
  ])('has no bound where a property is named by a reserved word: %s', async (rule) => {
    const exceeds = 'Forbidden: estimated rule cost exceeds budget by factor of more than 100x'
    const [status, ...messages] = await answerTo(rule)
    expect(status).toBe(422)
    expect(messages[0]).toMatch(exceeds)
  })
})
