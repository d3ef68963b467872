import { inOrder, type KubernetesSource, type NativeKind } from './kubernetes-source.ts'
import type { ReferencePages } from './field-facts.ts'
import { selectableFields } from './selectable-fields.ts'
import { typeLocation } from './type-modules.ts'
import { NAMING_RULE, valueNames } from './value-names.ts'

/** Where `scale` reads and writes in the workloads: the same in all of them. */
export const SCALE = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
} as const

/** `native.ts`: for each kind a value and a type of the same name, and the interfaces by group and version. */
export function kindModule(source: KubernetesSource, pages: ReferencePages): string {
  const modules = new Map<string, string>()
  for (const definition of source.definitions.keys()) {
    const { module, alias } = typeLocation(definition)
    if (/^(core|meta)-v1$/.test(module) || source.kinds.some((kind) => kind.definition === definition)) {
      modules.set(module, alias)
    }
  }
  const namespaces = [...inOrder(modules)]
  const names = valueNames(source.kinds)
  return [
    NAMING_RULE,
    `import { nativeKind, type Native, type NativeObject, type Review, type ReviewObject } from '../../kinds/index.ts'`,
    ...namespaces
      .filter(([, alias]) => alias !== 'MetaV1')
      .map(([module, alias]) => `import type * as ${alias} from './${module}.ts'`),
    '',
    ...namespaces.map(([module, alias]) => `export type * as ${alias} from './${module}.ts'`),
    '',
    source.kinds.map((kind) => kindValue(kind, names.get(kind)!, pages)).join('\n\n'),
    '',
  ].join('\n')
}

function kindValue(kind: NativeKind, as: string, pages: ReferencePages): string {
  const { alias, name } = typeLocation(kind.definition)
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  const has = (subresource: string) => kind.subresources.some((entry) => entry.name === subresource)
  const extras = [
    ...(kind.shortNames.length > 0 ? [`shortNames: ${list(kind.shortNames)}`] : []),
    ...(kind.categories.length > 0 ? [`categories: ${list(kind.categories)}`] : []),
    ...(has('status') ? ['status: true'] : []),
    ...(has('scale') ? [`scale: ${object(SCALE)}`] : []),
  ]
  const review = isReview(kind)
  const interfaceName = `${alias}.${name}`
  const fields = selectableFields(kind).map(quote).join(' | ')
  const types = review
    ? `Review<${interfaceName}, ${quote(kind.scope)}, ${as}>`
    : `Native<${interfaceName}, ${quote(kind.scope)}, ${as}${fields && `, ${fields}`}>`
  const read = review
    ? `ReviewObject<${interfaceName}, ${quote(apiVersion)}, ${quote(kind.kind)}>`
    : `NativeObject<${interfaceName}, ${quote(kind.scope)}, ${quote(apiVersion)}, ${quote(kind.kind)}>`
  const link = pages.linkTo(kind.definition)
  const facts = [
    `\`${kind.kind}\` in \`${apiVersion}\`, ${kind.scope === 'Namespaced' ? 'in a namespace' : 'cluster-scoped'}.`,
    ...(kind.shortNames.length > 0
      ? [`Short: ${kind.shortNames.map((name) => `\`${name}\``).join(', ')}.`]
      : []),
  ].join(' ')
  const names = [kind.group, kind.version, kind.kind, kind.plural, kind.scope].map(quote)
  const argumentList = extras.length > 0 ? [...names, `{ ${extras.join(', ')} }`] : names
  return [
    `/** ${facts} ${link} */`,
    `export const ${as} = /* @__PURE__ */ nativeKind<${as}Types>(${argumentList.join(', ')})`,
    `/** ${kind.kind} objects as they are read. ${link} */`,
    `export interface ${as} extends ${read} {}`,
    `/** The types of {@link ${as}}. */`,
    `export interface ${as}Types extends ${types} {}`,
  ].join('\n')
}

/** A question that is answered in the status, and never stored. */
function isReview({ kind, verbs }: NativeKind): boolean {
  return kind.endsWith('Review') && verbs.join() === 'create'
}

function quote(text: string): string {
  return `'${text}'`
}

function list(texts: readonly string[]): string {
  return `[${texts.map(quote).join(', ')}]`
}

function object(fields: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(fields)
    .map(([key, value]) => `${key}: ${quote(value)}`)
    .join(', ')} }`
}
