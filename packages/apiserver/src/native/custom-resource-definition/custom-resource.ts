import { labelKeyProblems } from '@homeostat/api'
import type { KindStrategy } from '../../registry/index.ts'
import { admitToDefinition } from './definition-summaries.ts'

/** The finalizers that Kubernetes itself adds. */
const STANDARD = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

/** The strategy of every kind that a CustomResourceDefinition defines. */
export const customStrategy: KindStrategy = {
  admitCreate: admitToDefinition,
  warnings(object, old) {
    const before = new Set(old?.metadata.finalizers ?? [])
    const added = [...new Set(object.metadata.finalizers ?? [])].filter((name) => !before.has(name)).sort()
    return added.flatMap((name) =>
      finalizerProblems(name).map((problem) => `metadata.finalizers: ${JSON.stringify(name)}: ${problem}`),
    )
  },
}

function finalizerProblems(name: string): string[] {
  const problems = labelKeyProblems(name)
  if (name.includes('/') || STANDARD.has(name)) return problems
  const path = name.includes('.') ? ' including a path (/)' : ''
  const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`
  return [...problems, advice]
}
