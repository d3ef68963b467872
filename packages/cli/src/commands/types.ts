import { HomeostatError } from '@homeostat/api'
import { loadConfig, printKind } from 'homeostat'
import { type Command, type CommandCall, optionText, usageError } from '../command/index.ts'
import { clusterDefinitions, loadDefinitions } from '../definitions/index.ts'
import { clusterOptions } from '../project/index.ts'
import { writeResult } from './write-result.ts'

type Definition = Parameters<typeof printKind>[0]

export const types: Command = {
  name: 'types',
  summary: 'makes typed kinds from CustomResourceDefinitions in YAML or in a cluster',
  description:
    'Prints TypeScript that defines each kind of the given files, folders or URLs with defineKind, in all its versions, with the descriptions as comments of the fields. Objects of other kinds in the files are left out. Comments name the parts of a definition that defineKind cannot express. Where several groups have a kind of the same name, the first word of the group comes before that name. With --context or --kubeconfig, the definitions are read from that cluster, and the arguments are names of groups or definitions.',
  arguments: 'FILE|URL|NAME...',
  options: {
    out: { type: 'string', value: 'FILE', description: 'the module to write (default: standard output)' },
    ...clusterOptions,
  },
  examples: [
    ['types cert-manager.crds.yaml --out=cert-manager.ts', 'one module with all kinds'],
    ['types crds/a.yaml crds/b.yaml', 'several files'],
    ['types https://example.com/crds.yaml', 'what another project publishes'],
    ['types --context=staging cert-manager.io', 'a group, as a cluster has it'],
  ],
  async run({ values, positionals, io }: CommandCall): Promise<number> {
    const [context, kubeconfig] = [optionText(values, 'context'), optionText(values, 'kubeconfig')]
    const isLive = context !== undefined || kubeconfig !== undefined
    if (positionals.length === 0 && !isLive)
      throw usageError('name at least one YAML file, URL or --context: homeostat types FILE...')
    const definitions = isLive
      ? await clusterDefinitions(loadConfig({ context, kubeconfig, env: io.env }), positionals)
      : (await Promise.all(positionals.map((source) => loadDefinitions(io.cwd, source)))).flat()
    const text = moduleOf(definitions)
    writeResult(io, optionText(values, 'out'), text, `${definitions.length} definitions are`)
    return 0
  },
}

const IMPORT = /^import \{ ([^}]*) \} from 'homeostat'\n/

/** Joins the modules of all definitions into one, with their imports merged. */
function moduleOf(definitions: readonly Definition[]): string {
  const printed = definitions.map((definition) => {
    const { group, names } = definition.spec
    const isShared = definitions.some(({ spec }) => spec.names.kind === names.kind && spec.group !== group)
    return printKind(definition, isShared ? { name: `${groupWord(group)}${names.kind}` } : {})
  })
  const names = new Set(printed.flatMap((text) => IMPORT.exec(text)?.[1]?.split(', ') ?? []))
  const bodies = printed.map((text) => text.replace(IMPORT, '').trim())
  checkNames(bodies)
  return `import { ${[...names].toSorted().join(', ')} } from 'homeostat'\n\n${bodies.join('\n\n')}\n`
}

/** The first word of a group, which precedes a kind that several groups have: `ProtectionUsage` in `protection.crossplane.io`. */
function groupWord(group: string): string {
  const [word = ''] = group.split('.')
  return word
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')
}

/** Throws where two definitions give the same name, since one module cannot export both. */
function checkNames(bodies: readonly string[]): void {
  const seen = new Set<string>()
  for (const [, name = ''] of bodies.join('\n').matchAll(/^export const (\w+)/gm)) {
    if (seen.has(name)) {
      throw new HomeostatError(
        'KIND_NAME_TWICE',
        `two definitions have the kind ${name}: call homeostat types once for each file or group, so that each gets its own module`,
      )
    }
    seen.add(name)
  }
}
