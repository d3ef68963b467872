import { isForbidden, type PolicyRule } from 'homeostat'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { generatedRules, makeAccount } from './account.ts'
import { runOperator } from './operator.ts'
import { operators } from './operators.ts'
import { live } from './stage.ts'

const each = operators.flatMap((operator) => {
  const rules = generatedRules(operator.name)
  return rightsOf(rules).map((right) => [operator.name, right, operator, without(rules, right)] as const)
})

it.each(each)('%s needs its right to %s', async (_, __, operator, rules) => {
  await using server = await startTestServer({ kinds: [operator.kind] })
  await using account = await makeAccount(server, rules)
  await using running = await runOperator({ ...server, transport: account.transport }, operator.controller)
  const refused = () => running.reports.some(({ error }) => isRefused(error))
  const stopped = new Error('refused')
  const until: typeof server.until = (what, check) =>
    server.until(what, () => {
      if (refused()) throw stopped
      return check()
    })
  await expect(live({ ...server, until }, operator)).rejects.toBe(stopped)
})

/** The errors that a reconcile or its finalizer threw. */
function isRefused(error: unknown): boolean {
  return isForbidden(error) || (error instanceof Error && isForbidden(error.cause))
}

/**
 * The rights to write that a reconcile needs. What finalizers need counts where a server enforces it; an event that is refused is
 * only logged; what webhooks need is tested in test/webhook-certificates.
 */
function rightsOf(rules: readonly PolicyRule[]): string[] {
  return rules
    .flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    )
    .filter(
      (right) =>
        !/^(get|list|watch) |events$|\/finalizers$|webhookconfigurations$|customresourcedefinitions$/.test(
          right,
        ),
    )
}

function without(rules: readonly PolicyRule[], right: string): PolicyRule[] {
  return rules
    .flatMap((rule) =>
      rule.resources.map((resource) => ({
        ...rule,
        resources: [resource],
        verbs: rule.verbs.filter((verb) => `${verb} ${resource}` !== right),
      })),
    )
    .filter(({ verbs }) => verbs.length > 0)
}
