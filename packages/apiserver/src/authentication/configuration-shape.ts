import { isObject, quote } from '../schema/index.ts'

/** A type of a field: a text, a truth value, a list, or an object with these fields. */
type Shape = 'string' | 'boolean' | readonly [Shape] | { readonly [field: string]: Shape }

const MAPPING = { claim: 'string', prefix: 'string', expression: 'string' } as const

const CONFIGURATION: Shape = {
  apiVersion: 'string',
  kind: 'string',
  jwt: [
    {
      issuer: {
        url: 'string',
        discoveryURL: 'string',
        certificateAuthority: 'string',
        audiences: ['string'],
        audienceMatchPolicy: 'string',
        egressSelectorType: 'string',
      },
      claimValidationRules: [
        { claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' },
      ],
      claimMappings: {
        username: MAPPING,
        groups: MAPPING,
        uid: { claim: 'string', expression: 'string' },
        extra: [{ key: 'string', valueExpression: 'string' }],
      },
      userValidationRules: [{ expression: 'string', message: 'string' }],
    },
  ],
  anonymous: { enabled: 'boolean', conditions: [{ path: 'string' }] },
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`)

/** The first problem of the kind, the names or the types of a configuration's fields; undefined where there is none. */
export function checkShape(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object'
  const { kind, apiVersion } = value
  if (kind !== 'AuthenticationConfiguration' || !VERSIONS.includes(String(apiVersion))) {
    return `it must be of kind AuthenticationConfiguration in ${VERSIONS[0]}`
  }
  return problemOf(value, CONFIGURATION, '')
}

function problemOf(value: unknown, shape: Shape, at: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof shape === 'string') {
    return typeof value === shape ? undefined : `${at}: must be a ${shape}`
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return `${at}: must be a list`
    return value
      .map((one, index) => problemOf(one, shape[0], `${at}[${index}]`))
      .find((problem) => problem !== undefined)
  }
  if (!isObject(value)) return `${at}: must be an object`
  for (const [name, part] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (known === undefined) return `strict decoding error: unknown field ${quote(path)}`
    const problem = problemOf(part, known, path)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
