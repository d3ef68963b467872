import { loadConfig } from 'homeostat'
import { type Command, type CommandCall, optionText, styleOf, usageError } from '../command/index.ts'
import { compareDefinitions, compatibilityText, type CompatibilityLevel } from '../compat/index.ts'
import { clusterDefinitions, loadDefinitions } from '../definitions/index.ts'
import { clusterOptions } from '../project/index.ts'

export const compat: Command = {
  name: 'compat',
  summary: 'reports how a change of the kinds affects stored objects and clients',
  description:
    'Compares the definitions of OLD with those of NEW. Each is a YAML file, a folder of them, a URL, operator.ts, or REVISION:PATH of git. With --context or --kubeconfig, leave OLD out: the command compares NEW with the same definitions in that cluster. A change has one of three levels. Breaking: stored objects lose data or can no longer be updated, or requests that worked fail. Ratcheting: stored objects may keep a value that is no longer valid, but no client can write such a value. Safe: all others. The exit code is 1 if a change is breaking.',
  arguments: 'OLD NEW',
  options: {
    ...clusterOptions,
    strict: { type: 'boolean', description: 'exit with 1 for ratcheting changes, too' },
    json: { type: 'boolean', description: 'print JSON' },
  },
  examples: [
    ['compat v1.2.0:manifests manifests', 'in CI: against the last release'],
    ['compat manifests/crd.yaml operator.ts', 'what is not committed yet'],
    ['compat --context=production manifests', 'before an upgrade of that cluster'],
    ['compat old.yaml new.yaml --json', 'for programs'],
  ],
  async run({ values, positionals, io }: CommandCall): Promise<number> {
    const findings = compareDefinitions(...(await bothSides(values, positionals, io)))
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

type Definitions = Parameters<typeof compareDefinitions>[0]

async function bothSides(
  values: CommandCall['values'],
  positionals: readonly string[],
  { cwd, env }: CommandCall['io'],
): Promise<[old: Definitions, next: Definitions]> {
  const [context, kubeconfig] = [optionText(values, 'context'), optionText(values, 'kubeconfig')]
  if (context === undefined && kubeconfig === undefined) {
    const [old, next, ...others] = positionals
    if (old === undefined || next === undefined || others.length > 0)
      throw usageError('name what to compare: homeostat compat OLD NEW')
    return [await loadDefinitions(cwd, old), await loadDefinitions(cwd, next)]
  }
  const [next, ...others] = positionals
  if (next === undefined || others.length > 0)
    throw usageError(
      'name what to compare with the cluster, and nothing else: homeostat compat --context=NAME NEW',
    )
  const wanted = await loadDefinitions(cwd, next)
  const found = await clusterDefinitions(loadConfig({ context, kubeconfig, env }))
  const isWanted = ({ spec }: Definitions[number]): boolean =>
    wanted.some((each) => each.spec.group === spec.group && each.spec.names.plural === spec.names.plural)
  return [found.filter(isWanted), wanted]
}
