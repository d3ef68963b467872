import type { Command, CommandCall } from '../command/index.ts'
import { styleOf, usageError } from '../command/index.ts'
import { compareDefinitions, compatibilityText, type CompatibilityLevel } from '../compat/index.ts'
import { loadDefinitions } from '../definitions/index.ts'

export const compat: Command = {
  name: 'compat',
  summary: 'says what a change of the kinds does to stored objects and to clients',
  description:
    'Compares the definitions of OLD with those of NEW. Each is a YAML file, a folder of them, operator.ts, or REVISION:PATH of git. Every change is breaking (stored objects lose data or can no longer be updated, or requests that worked fail), ratcheting (values that are no longer valid may stay in stored objects while they are not changed, but cannot be written) or safe. The exit code is 1 where a change is breaking.',
  arguments: 'OLD NEW',
  options: {
    strict: { type: 'boolean', description: 'the exit code is 1 where a change is ratcheting, too' },
    json: { type: 'boolean', description: 'print JSON' },
  },
  examples: [
    ['compat v1.2.0:manifests manifests', 'in CI: against the last release'],
    ['compat manifests/crd.yaml operator.ts', 'what is not committed yet'],
    ['compat old.yaml new.yaml --json', 'for programs'],
  ],
  async run({ values, positionals, io }: CommandCall): Promise<number> {
    const [old, next, ...others] = positionals
    if (old === undefined || next === undefined || others.length > 0)
      throw usageError('name what to compare: homeostat compat OLD NEW')
    const findings = compareDefinitions(
      await loadDefinitions(io.cwd, old),
      await loadDefinitions(io.cwd, next),
    )
    const failing: readonly CompatibilityLevel[] = values['strict']
      ? ['breaking', 'ratcheting']
      : ['breaking']
    const ok = !findings.some(({ level }) => failing.includes(level))
    if (values['json']) io.out(`${JSON.stringify({ ok, findings }, undefined, 2)}\n`)
    else {
      const style = styleOf(io)
      const colours = { breaking: 'bad', ratcheting: 'bold', safe: 'good' } as const
      io.out(compatibilityText(findings, (level, text) => style[colours[level]](text)))
    }
    return ok ? 0 : 1
  },
}
