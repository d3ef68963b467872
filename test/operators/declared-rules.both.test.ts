import { At, at } from '@homeostat/example-at'
import { markdownView, MarkdownView } from '@homeostat/example-markdownview'
import { Manager, recordRules, timestamp, type Controller, type PolicyRule } from 'homeostat'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { runOperator, type RunningOperator } from './operator.ts'

it('MarkdownView declares what it writes: no less, and no more', async () => {
  await using server = await startTestServer({ kinds: [MarkdownView] })
  const transport = recordRules(server.transport)
  await using operator = await runOperator({ ...server, transport }, markdownView)
  const key = { namespace: server.namespace, name: 'sample' }
  await server.client.create(MarkdownView, { metadata: key, spec: { markdowns: { 'one.md': '# One' } } })
  await server.until('the status', () => written(operator, 'PATCH markdownviews/sample/status'))
  const body = { spec: { markdowns: { 'one.md': '# Two' } } }
  await server.client.patch(MarkdownView, key, { type: 'merge', body })
  await server.until('the update', () => written(operator, 'PUT configmaps/markdowns-sample'))
  expect(writesOf(transport.rules())).toEqual(declared(markdownView))
})

it('At declares what it writes: no less, and no more', async () => {
  await using server = await startTestServer({ kinds: [At] })
  const transport = recordRules(server.transport)
  await using operator = await runOperator({ ...server, transport }, at)
  await server.client.create(At, {
    metadata: { namespace: server.namespace, name: 'hello' },
    spec: { schedule: timestamp(server.clock.now()), command: 'true' },
  })
  await server.until('the Pod', () => written(operator, 'POST pods'))
  expect(writesOf(transport.rules())).toEqual(declared(at))
})

async function written(operator: RunningOperator, write: string): Promise<boolean> {
  return operator.writes.includes(write)
}

const declared = (controller: Controller) => writesOf(new Manager().add(controller).rules())

/** Each right to write as a line; events may come or not, and what finalizers need no request shows. */
function writesOf(rules: readonly PolicyRule[]): string[] {
  return rules
    .flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    )
    .filter((right) => !/^(get|list|watch) |events$|\/finalizers$/.test(right))
    .sort()
}
