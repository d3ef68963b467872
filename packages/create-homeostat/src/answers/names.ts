/** The namespace of the operator is `<name>-system`, which may have at most 63 characters. */
const LONGEST_NAME = 56
const LONGEST_KIND = 60
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const PASCAL = /^[A-Z][A-Za-z0-9]*$/

/** Packages that a project depends on: npm refuses to install a package into one of the same name. */
const DEPENDENCIES = ['homeostat', 'typescript', 'vitest']
/** Names that the files of a project import. */
const IMPORTED = ['ApplyOf', 'ConfigMap', 'Deployment', 'ObjectOf', 'OperatorTest', 'Service']

/** The controller has the name of the kind; the manager uses these names itself. */
const CONTROLLERS = ['webhooks']

/** Why a name cannot be that of an operator; `undefined` for a valid one. */
export function nameProblem(name: string): string | undefined {
  if (!LABEL.test(name) || name.length > LONGEST_NAME)
    return `${JSON.stringify(name)} is not a valid name of an operator: use at most ${LONGEST_NAME} lower-case letters, digits and hyphens, such as my-operator`
  if (DEPENDENCIES.includes(name))
    return `${name} is a package that the project depends on: use another name, such as my-${name}`
  return undefined
}

export function groupProblem(group: string): string | undefined {
  const labels = group.split('.')
  if (labels.length < 2 || group.length > 190 || !labels.every((label) => LABEL.test(label)))
    return `${JSON.stringify(group)} is not a valid API group: use a domain that you own, with at least one dot, such as example.com`
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(group))
    return `${group} belongs to the Kubernetes project, and API servers refuse kinds in it that are not approved: use a domain that you own`
  return undefined
}

export function kindProblem(kind: string): string | undefined {
  if (!PASCAL.test(kind) || kind.length > LONGEST_KIND)
    return `${JSON.stringify(kind)} is not a valid kind: use at most ${LONGEST_KIND} letters and digits with an upper-case letter first, such as Website`
  if (IMPORTED.includes(kind) || kind in globalThis || CONTROLLERS.includes(kind.toLowerCase()))
    return `the files of the project already use the name ${kind}: use another kind, such as My${kind}`
  return undefined
}

/** The kind that a name suggests: `shop-page-operator` is about a `ShopPage`. */
export function suggestedKind(name: string): string {
  const kind = name
    .replace(/^my-/, '')
    .replace(/(^|-)(operator|controller)$/, '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return kindProblem(kind) === undefined ? kind : 'Website'
}

/** The name that a folder suggests. */
export function suggestedName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-|-$/g, '')
  return nameProblem(name) === undefined ? name : 'my-operator'
}
