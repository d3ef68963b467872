import { ALLOWED, type Attributes, type Decision } from '../access/authorize.ts'
import { MASTERS, type User } from '../access/user.ts'
import type { Authorization } from './authorization.ts'

/**
 * Asks authorizers in their order, until one allows or denies a request. Members of `system:masters` may do everything. The
 * decision is a promise only where an authorizer must wait.
 */
export function chainAuthorizers(all: readonly Authorization[]): Authorization {
  return {
    authorize(user, attributes) {
      return user.groups.includes(MASTERS) ? ALLOWED : ask(all, 0, user, attributes, [])
    },
    rulesFor(user, namespace) {
      const found = all.map((one) => one.rulesFor(user, namespace))
      return {
        rules: found.flatMap(({ rules }) => rules),
        problem: joined(found.flatMap(({ problem }) => (problem === '' ? [] : problem))),
        isIncomplete: found.some(({ isIncomplete }) => isIncomplete),
      }
    },
  }
}

function ask(
  all: readonly Authorization[],
  from: number,
  user: User,
  attributes: Attributes,
  undecided: readonly Decision[],
): Decision | Promise<Decision> {
  const asked = [...undecided]
  for (const [index, { authorize }] of all.entries()) {
    if (index < from) continue
    const decision = authorize(user, attributes)
    if (decision instanceof Promise) {
      return decision.then((made) =>
        isFinal(made) ? made : ask(all, index + 1, user, attributes, [...asked, made]),
      )
    }
    if (isFinal(decision)) return decision
    asked.push(decision)
  }
  const errors = asked.flatMap(({ error }) => error ?? [])
  return {
    allowed: false,
    reason: asked.flatMap(({ reason }) => (reason === '' ? [] : reason)).join('\n'),
    ...(errors.length > 0 && { error: joined(errors) }),
  }
}

function isFinal({ allowed, denied }: Decision): boolean {
  return allowed || denied === true
}

/** Several errors, as Go joins them: without duplicates, in brackets. */
function joined(errors: readonly string[]): string {
  const all = [...new Set(errors)]
  return all.length > 1 ? `[${all.join(', ')}]` : (all[0] ?? '')
}
