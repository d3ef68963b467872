/** The statement of a finding as data, from which a program makes a sentence in the language of its user. */
export type Fact =
  /** A field is not as it should be. A missing value means that it is absent; an empty path means the whole object. */
  | {
      readonly fact: 'difference'
      readonly object: string
      readonly path: string
      readonly expected?: unknown
      readonly found?: unknown
    }
  | { readonly fact: 'deletes'; readonly object: string }
  | { readonly fact: 'not deleted'; readonly object: string }
  | { readonly fact: 'left behind'; readonly object: string; readonly left: readonly string[] }
  | { readonly fact: 'left outside'; readonly object: string }
  | { readonly fact: 'finalizer removed'; readonly object: string; readonly finalizer: string }
  | { readonly fact: 'many writes'; readonly path: string; readonly count: number }
  | {
      readonly fact: 'long reconcile'
      readonly controller: string
      readonly name: string
      readonly minutes: number
    }
  /** `throws` names the error of JavaScript itself. */
  | {
      readonly fact: 'reconcile fails'
      readonly controller: string
      readonly name: string
      readonly message: string
      readonly throws?: string | undefined
    }
  | { readonly fact: 'changed by restart'; readonly object: string }
  | { readonly fact: 'called by restart'; readonly object: string }
  | { readonly fact: 'updated by restart'; readonly path: string }
  | {
      readonly fact: 'says ready'
      readonly object: string
      readonly by: 'condition' | 'phase'
      readonly value: string
      readonly workload: string
    }
  | { readonly fact: 'more objects'; readonly size: number; readonly half: number; readonly example: string }
  | {
      readonly fact: 'larger'
      readonly object: string
      readonly path: string
      readonly size: number
      readonly half: number
      readonly unit: 'items' | 'entries' | 'characters'
    }
  | { readonly fact: 'uses machine'; readonly what: string }
  | { readonly fact: 'sample refused'; readonly object: string; readonly message: string }
  /** The author's own words. */
  | { readonly fact: 'invariant'; readonly name: string; readonly message: string }
  /** The words of the runtime. */
  | { readonly fact: 'message'; readonly message: string }

/** A fact, and the same as a sentence: the two parts of a finding that say what is wrong. */
export function says(fact: Fact): { readonly fact: Fact; readonly summary: string } {
  return { fact, summary: sentenceOf(fact) }
}

function sentenceOf(fact: Fact): string {
  switch (fact.fact) {
    case 'difference':
      return differenceText(fact)
    case 'deletes':
      return `the operator deletes the ${fact.object}, which should stay`
    case 'not deleted':
      return `the user has deleted the ${fact.object}, and it is still there`
    case 'left behind':
      return `the ${fact.object} is gone, and the operator has left behind: ${fact.left.join(', ')}`
    case 'left outside':
      return `something is left in the ${fact.object} after the deletion`
    case 'finalizer removed':
      return `the operator removes the finalizer ${fact.finalizer} of the ${fact.object}, which belongs to another controller`
    case 'many writes':
      return `the operator writes ${fact.path} ${fact.count} times in ten minutes`
    case 'long reconcile':
      return `the controller ${fact.controller} has reconciled ${fact.name} for ${fact.minutes} minutes, and does not end`
    case 'reconcile fails':
      return fact.throws === undefined
        ? `the controller ${fact.controller} fails at ${fact.name}: ${fact.message}`
        : `the controller ${fact.controller} throws at ${fact.name}: ${fact.throws}: ${fact.message}`
    case 'changed by restart':
      return `a new process changes the ${fact.object} although nothing has happened`
    case 'called by restart':
      return `only a new process changes the ${fact.object}: the operator was not called when Pods became ready`
    case 'updated by restart':
      return `a new process updates ${fact.path} although nothing has happened, and changes nothing`
    case 'says ready':
      return `the ${fact.object} has the ${fact.by} ${fact.value} although the Pods of the ${fact.workload} are not ready`
    case 'more objects':
      return `there are ${fact.size} objects at the end and ${fact.half} after half of the repetitions: ${fact.example}`
    case 'larger':
      return `${fact.path} of the ${fact.object} has ${fact.size} ${fact.unit} at the end and ${fact.half} after half of the repetitions`
    case 'uses machine':
      return `the operator calls ${fact.what} of the machine`
    case 'sample refused':
      return `the server refuses the sample ${fact.object}: ${fact.message}`
    case 'invariant':
      return `${fact.name}: ${fact.message}`
    case 'message':
      return fact.message
  }
}

function differenceText({ object, path, expected, found }: Extract<Fact, { fact: 'difference' }>): string {
  const what = path === '' ? `the ${object}` : `${path} of the ${object}`
  if (found === undefined) return `${what} is missing`
  if (expected === undefined) return `${what} is there, and should not be`
  return `${what} is ${shortJson(found)} instead of ${shortJson(expected)}`
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
