import { deepEqual } from '@homeostat/api'
import { parseAnyUrl } from '@homeostat/cel'
import type { KindStrategy } from '../../registry/index.ts'
import { eachObject, named, objectsIn, oneOf, port, validateLabelSelector } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  hasSentEmpty,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
  wasSentEmpty,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validateRule } from './admission-rules.ts'
import { validateMatchConditions } from './match-conditions.ts'
import { CONFIGURES_SERVER } from './configures-server.ts'

const VERSIONS = ['v1', 'v1beta1']
const HARMLESS = ['None', 'NoneOnDryRun']

/** The strategy of webhook configurations. Only mutating webhooks have a `reinvocationPolicy`. */
export function webhookConfiguration(mutating: boolean): KindStrategy {
  return {
    ...CONFIGURES_SERVER,
    // Kubernetes compares webhooks in which a list or map was sent empty with the stored ones, which leave it out.
    counts: (object) => wasSentEmpty(object, 'webhooks') || hasSentEmpty(object['webhooks']),
    default(object) {
      for (const hook of objectsIn(object['webhooks'])) {
        hook['failurePolicy'] ??= 'Fail'
        hook['matchPolicy'] ??= 'Equivalent'
        hook['namespaceSelector'] ??= {}
        hook['objectSelector'] ??= {}
        hook['timeoutSeconds'] ??= 10
        if (mutating) hook['reinvocationPolicy'] ??= 'Never'
        for (const rule of objectsIn(hook['rules'])) rule['scope'] ??= '*'
        const { service } = objectOf(hook['clientConfig'])
        if (isObject(service)) service['port'] ??= 443
      }
    },
    validate(object, old) {
      const areConditionsKept = old !== undefined && deepEqual(conditionsOf(object), conditionsOf(old))
      const names = new Set<unknown>()
      return eachObject(object['webhooks'], 'webhooks', (hook, at) => {
        const { name } = hook
        const errors = [
          ...hookErrors(hook, at, mutating),
          ...(areConditionsKept
            ? []
            : validateMatchConditions(hook['matchConditions'], `${at}.matchConditions`)),
          ...versionErrors(hook, `${at}.admissionReviewVersions`),
        ]
        if (name && names.has(name)) errors.push(duplicateValue(`${at}.name`, name))
        names.add(name)
        return errors
      })
    },
  }
}

function hookErrors(hook: JsonObject, field: string, mutating: boolean): FieldError[] {
  const { sideEffects, timeoutSeconds } = hook
  const errors = [
    ...nameErrors(hook['name'], `${field}.name`),
    ...eachObject(hook['rules'], `${field}.rules`, validateRule),
    ...oneOf(hook['failurePolicy'], ['Fail', 'Ignore'], `${field}.failurePolicy`),
    ...oneOf(hook['matchPolicy'], ['Equivalent', 'Exact'], `${field}.matchPolicy`),
  ]
  if (sideEffects === undefined || sideEffects === null) {
    errors.push(requiredValue(`${field}.sideEffects`, `must specify one of ${HARMLESS.join(', ')}`))
  } else addAll(errors, oneOf(sideEffects, HARMLESS, `${field}.sideEffects`))
  if (isNumber(timeoutSeconds) && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds'
    errors.push(invalidValue(`${field}.timeoutSeconds`, timeoutSeconds, detail))
  }
  addAll(
    errors,
    validateLabelSelector(hook['namespaceSelector'], `${field}.namespaceSelector`),
    validateLabelSelector(hook['objectSelector'], `${field}.objectSelector`),
  )
  const { reinvocationPolicy } = hook
  if (mutating && reinvocationPolicy !== 'Never' && reinvocationPolicy !== 'IfNeeded') {
    const allowed = ['IfNeeded', 'Never']
    errors.push(unsupportedValue(`${field}.reinvocationPolicy`, reinvocationPolicy ?? '', allowed))
  }
  return [...errors, ...clientErrors(objectOf(hook['clientConfig']), `${field}.clientConfig`)]
}

/**
 * The match conditions of all webhooks. An update that leaves them unchanged does not check them again, because an earlier release of
 * the server may have accepted them.
 */
function conditionsOf(configuration: JsonObject): unknown[] {
  return listOf(configuration['webhooks']).map((hook) => listOf(objectOf(hook)['matchConditions']))
}

/** Validates the name of a webhook, which has at least three labels. */
function nameErrors(value: unknown, field: string): FieldError[] {
  const name = textOf(value ?? '')
  if (name === '') return [requiredValue(field)]
  const problems = subdomainProblems(name)
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')]
}

function versionErrors(hook: JsonObject, field: string): FieldError[] {
  const versions = listOf(hook['admissionReviewVersions'])
  if (versions.length === 0) return [requiredValue(field, `must specify one of ${VERSIONS.join(', ')}`)]
  const seen = new Set<unknown>()
  const errors = versions.flatMap((version, index) => {
    const at = `${field}[${index}]`
    if (seen.has(version)) return [invalidValue(at, version, 'duplicate version')]
    seen.add(version)
    return named(version, at, label1035Problems)
  })
  if (versions.some((version) => VERSIONS.includes(textOf(version)))) return errors
  return [...errors, invalidValue(field, versions, `must include at least one of ${VERSIONS.join(', ')}`)]
}

function clientErrors(client: JsonObject, field: string): FieldError[] {
  const { url, service } = client
  const hasUrl = url !== undefined && url !== null
  if (hasUrl === isObject(service)) {
    return [requiredValue(field, 'exactly one of url or service is required')]
  }
  return hasUrl
    ? urlErrors(textOf(url), `${field}.url`)
    : serviceErrors(objectOf(service), `${field}.service`)
}

const FORM = '; desired format: https://host[/path]'

function urlErrors(text: string, field: string): FieldError[] {
  const read = parseAnyUrl(text)
  if (read instanceof Error) {
    return [requiredValue(field, `url must be a valid URL: ${read.message}${FORM}`)]
  }
  const parts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(
    text,
  )
  const [, scheme = '', authority = '', , query = '', fragment = ''] = parts ?? []
  const errors: FieldError[] = []
  if (scheme.toLowerCase() !== 'https') {
    errors.push(invalidValue(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`))
  }
  const user = authority.lastIndexOf('@')
  if (authority.slice(user + 1) === '') errors.push(invalidValue(field, '', `host must be specified${FORM}`))
  if (user >= 0) {
    const detail = 'user information is not permitted in the URL'
    errors.push(invalidValue(field, authority.slice(0, user), detail))
  }
  if (fragment !== '') errors.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(invalidValue(field, query, 'query parameters are not permitted in the URL'))
  return errors
}

/**
 * Validates a reference to a Service. Kubernetes reports a missing namespace at `name` and a missing name at
 * `namespace`.
 */
function serviceErrors(service: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (!service['namespace']) errors.push(requiredValue(`${field}.name`))
  if (!service['name']) errors.push(requiredValue(`${field}.namespace`))
  for (const { message } of port(service['port'] ?? 0, '')) {
    const problem = message.slice(message.indexOf(': ', 'Invalid value: '.length) + 2)
    errors.push(invalidValue(`${field}.port`, service['port'] ?? 0, `port is not valid: ${problem}`))
  }
  const path = textOf(service['path'] ?? '')
  if (path === '' || path === '/') return errors
  const at = `${field}.path`
  if (path === '//') return [...errors, invalidValue(at, path, 'segment[0] may not be empty')]
  if (!path.startsWith('/')) errors.push(invalidValue(at, path, "must start with a '/'"))
  // Kubernetes drops the first byte, which may be a part of a multi-byte character.
  const rest = path.replace(/^./su, (first) => (first > '\u007f' ? '\ufffd' : ''))
  for (const [index, step] of rest.replace(/\/$/, '').split('/').entries()) {
    if (step === '') errors.push(invalidValue(at, path, `segment[${index}] may not be empty`))
    else {
      for (const problem of subdomainProblems(step)) {
        errors.push(invalidValue(at, path, `segment[${index}]: ${problem}`))
      }
    }
  }
  return errors
}
