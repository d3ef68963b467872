import type { FieldEnums } from './field-enums.ts'
import { fieldFacts, type ReferencePages } from './field-facts.ts'
import { definitionName, inOrder, type KubernetesSource, type OpenApiSchema } from './kubernetes-source.ts'

/** Definitions that are not interfaces of their own, by what TypeScript calls them. */
const BUILT_IN: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'string',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'number | string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'string',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'Record<string, unknown>',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'unknown',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray':
    'JSONSchemaProps | JSONSchemaProps[]',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool':
    'JSONSchemaProps | boolean',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray':
    'JSONSchemaProps | string[]',
}

/** Definitions that `names/object.ts` describes. */
const NAMES: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': 'ObjectMetaInput',
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference': 'OwnerReference',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry': 'ManagedFieldsEntry',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'FieldsV1',
}

/** `core-v1.ts` and its siblings: an interface for each definition, by file name. */
export function typeModules(
  source: KubernetesSource,
  enums: FieldEnums,
  pages: ReferencePages,
): Record<string, string> {
  const modules = new Map<string, TypeModule>()
  for (const [name, schema] of source.definitions) {
    if (name in BUILT_IN || name in NAMES) continue
    const { module } = typeLocation(name)
    if (!modules.has(module)) modules.set(module, new TypeModule(module, source, enums, pages))
    modules.get(module)!.add(name, schema)
  }
  return Object.fromEntries([...inOrder(modules)].map(([name, module]) => [`${name}.ts`, module.text()]))
}

/** Which file has a definition's interface, under which name; as `AppsV1.Deployment` elsewhere. */
export function typeLocation(definition: string): { module: string; alias: string; name: string } {
  const [name, version, group] = definition.split('.').reverse() as [string, string, string]
  const alias = `${group[0]!.toUpperCase()}${group.slice(1)}${version[0]!.toUpperCase()}${version.slice(1)}`
  return { module: `${group}-${version}`, alias, name }
}

/** One file of interfaces, with the imports that they turn out to need. */
class TypeModule {
  readonly #name: string
  readonly #source: KubernetesSource
  readonly #enums: FieldEnums
  readonly #pages: ReferencePages
  readonly #names = new Set<string>()
  readonly #modules = new Map<string, string>()
  readonly #interfaces: string[] = []

  constructor(name: string, source: KubernetesSource, enums: FieldEnums, pages: ReferencePages) {
    this.#name = name
    this.#source = source
    this.#enums = enums
    this.#pages = pages
  }

  add(definition: string, schema: OpenApiSchema): void {
    const { name } = typeLocation(definition)
    const kind = this.#source.kinds.find((entry) => entry.definition === definition)
    const fields = Object.entries(schema.properties ?? {}).map(([field, type]) => {
      if (kind && (field === 'spec' || field === 'status') && type.default === undefined) {
        throw new Error(
          `${definition} may lack its ${field}: the types of native kinds say that it is always written`,
        )
      }
      // A spec that must hold something cannot be left out, though the document calls it optional.
      const specNeeded = kind && field === 'spec' && this.#mustHoldSomething(type)
      const required = specNeeded || schema.required?.includes(field)
      const key = /^[A-Za-z_$][\w$]*$/.test(field) ? field : `'${field}'`
      const text = this.#type(type, this.#enums.valuesOf(definition, field))
      const facts = fieldFacts(definition, field, type, Boolean(required))
      const comment = `  /** ${[...facts, this.#pages.linkTo(definition)].join(' ')} */\n`
      if (required || text === 'unknown') return `${comment}  ${key}${required ? '' : '?'}: ${text}`
      return `${comment}  ${key}?: ${text} | undefined`
    })
    const about = `/** ${this.#pages.linkTo(definition)} */\n`
    if (fields.length === 0) this.#interfaces.push(`${about}export type ${name} = Record<string, unknown>`)
    else this.#interfaces.push(`${about}export interface ${name} {\n${fields.join('\n')}\n}`)
  }

  text(): string {
    const imports: string[] = []
    if (this.#names.size > 0) {
      imports.push(`import type { ${[...this.#names].sort().join(', ')} } from '../../names/index.ts'`)
    }
    for (const [module, alias] of inOrder(this.#modules)) {
      imports.push(`import type * as ${alias} from './${module}.ts'`)
    }
    return [...(imports.length > 0 ? [imports.join('\n')] : []), ...this.#interfaces].join('\n\n') + '\n'
  }

  #mustHoldSomething(schema: OpenApiSchema): boolean {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    const target = reference && this.#source.definitions.get(definitionName(reference))
    return target ? (target.required?.length ?? 0) > 0 : false
  }

  #type(schema: OpenApiSchema, values?: readonly string[]): string {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (reference) return this.#reference(definitionName(reference))
    switch (schema.type) {
      case 'string':
        return values ? values.map((value) => `'${value}'`).join(' | ') : 'string'
      case 'boolean':
        return 'boolean'
      case 'integer':
      case 'number':
        return 'number'
      case 'array': {
        const item = this.#type(schema.items!, values)
        return item.includes('|') ? `(${item})[]` : `${item}[]`
      }
      case 'object': {
        const content = schema.additionalProperties
        return `Record<string, ${content ? this.#type(content, values) : 'unknown'}>`
      }
      default:
        throw new Error(`No TypeScript type for ${JSON.stringify(schema)}`)
    }
  }

  #reference(definition: string): string {
    const builtIn = BUILT_IN[definition]
    if (builtIn) return builtIn
    const shared = NAMES[definition]
    if (shared) {
      this.#names.add(shared)
      return shared
    }
    const { module, alias, name } = typeLocation(definition)
    if (module === this.#name) return name
    this.#modules.set(module, alias)
    return `${alias}.${name}`
  }
}
