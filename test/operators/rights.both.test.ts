import { isNotFound, Manager, recordRules, type AnyKind, type PolicyRule } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { generatedRules, isUnmappedOwner, makeAccount } from './account.ts'
import { runOperator } from './operator.ts'
import { operators } from './operators.ts'
import { live } from './stage.ts'

const each = operators.map((operator) => [operator.name, operator] as const)

describe.each(each)('%s, with the rights of its manifests and no others,', (name, operator) => {
  it('does all that it has to, and uses each of them', async () => {
    await using server = await startTestServer({ kinds: [operator.kind] })
    await using account = await makeAccount(server, generatedRules(name))
    const transport = recordRules(account.transport)
    await using running = await runOperator({ ...server, transport }, operator.controller)
    await live(server, operator)
    const errors = running.reports.filter(({ result }) => result === 'error').map(({ error }) => error)
    expect(
      errors.filter((error) => !isUnmappedOwner(String(error)) && !isGone(error, operator.kind)),
    ).toEqual([])
    expect(writesOf(transport.rules())).toEqual(writesOf(new Manager().add(operator.controller).rules()))
  })
})

/** Whether a reconcile was under way when its object was deleted. */
function isGone(error: unknown, { plural, group }: AnyKind): boolean {
  return isNotFound(error) && String(error).includes(`${plural}.${group}`)
}

/** Each right to write as a line. Events may come or not; `rights.test.ts` sees to what no request shows. */
function writesOf(rules: readonly PolicyRule[]): string[] {
  return rules
    .flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    )
    .filter((right) => !/^(get|list|watch|bind|escalate) |events$|\/finalizers$/.test(right))
    .sort()
}
