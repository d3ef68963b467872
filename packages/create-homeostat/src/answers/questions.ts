import type { Answers } from './answers.ts'
import { CreateError } from './create-error.ts'
import { groupProblem, kindProblem, nameProblem, suggestedKind, suggestedName } from './names.ts'

/** A question to the user. */
export interface Question<N extends keyof Answers = keyof Answers> {
  readonly name: N
  readonly text: string
  /** The default answer; it may depend on earlier answers. */
  readonly default: (known: Partial<Answers>, folder: string) => Answers[N]
  /** Parses an answer: its value, or why it is wrong. */
  readonly read: (line: string) => { readonly value: Answers[N] } | { readonly problem: string }
}

/** In the order in which they are asked. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'name',
    text: 'Name of the operator',
    default: (_known, folder) => suggestedName(folder),
    read: text(nameProblem),
  },
  {
    name: 'group',
    text: 'API group of its kind, a domain that you own',
    default: () => 'example.com',
    read: text(groupProblem),
  },
  {
    name: 'kind',
    text: 'Kind',
    default: ({ name = '' }) => suggestedKind(name),
    read: text(kindProblem),
  },
  {
    name: 'owns',
    text: 'Does it own native objects, such as a Deployment?',
    default: () => true,
    read: yesOrNo,
  },
  {
    name: 'webhooks',
    text: 'Does a webhook validate its kind?',
    default: () => false,
    read: yesOrNo,
  },
]

/** Checks the given answers and adds defaults for the rest. Throws a `CreateError` with code `USAGE` for a wrong answer. */
export function answersOf(given: Partial<Answers>, folder: string): Answers {
  const known: Partial<Answers> = { ...given }
  for (const { name, read, default: defaultOf } of QUESTIONS) {
    const value = known[name]
    if (typeof value === 'string') {
      const checked = read(value)
      if ('problem' in checked) throw new CreateError('USAGE', `--${name}: ${checked.problem}`)
    }
    Object.assign(known, { [name]: value ?? defaultOf(known, folder) })
  }
  return known as Answers
}

function text(problemOf: (line: string) => string | undefined): Question['read'] {
  return (line) => {
    const problem = problemOf(line)
    return problem === undefined ? { value: line } : { problem }
  }
}

function yesOrNo(line: string): { readonly value: boolean } | { readonly problem: string } {
  if (/^(y|yes)$/i.test(line)) return { value: true }
  if (/^(n|no)$/i.test(line)) return { value: false }
  return { problem: 'answer yes or no' }
}
