import { labelKeyProblems, labelValueProblems } from '@homeostat/api'
import { driverName, eachObject, named, required, requiredName } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
  tooMany,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

/** The most requests of a claim, and the most references to them. */
const MOST_REQUESTS = 32
const MOST_CONSTRAINTS = 32
const MOST_CONFIGURATIONS = 32
const MOST_ALTERNATIVES = 8
const MOST_SELECTORS = 32
const LONGEST_IDENTIFIER = 32
const LONGEST_PARAMETERS = 10_240

/**
 * Validates the devices that a claim asks for. The expressions of selectors, and how much of a device is asked for, are
 * not checked: a driver reads them, and none runs here.
 */
export function validateClaim(spec: JsonObject, field: string): FieldError[] {
  const devices = objectOf(spec['devices'])
  const { requests, constraints, config } = devices
  const at = `${field}.devices`
  const names = namesOf(requests)
  return [
    ...namedItems(requests, `${at}.requests`, MOST_REQUESTS, requestErrors),
    ...atMost(constraints, `${at}.constraints`, MOST_CONSTRAINTS, (item, place) =>
      constraintErrors(item, place, names),
    ),
    ...atMost(config, `${at}.config`, MOST_CONFIGURATIONS, (item, place) => [
      ...referenceErrors(item['requests'], `${place}.requests`, names),
      ...opaqueErrors(item['opaque'], `${place}.opaque`),
    ]),
  ]
}

type Check = (item: JsonObject, field: string) => FieldError[]

/** The errors of the items of a list, unless it is too long. */
function atMost(value: unknown, field: string, most: number, check: Check): FieldError[] {
  const { length } = listOf(value)
  return length > most ? [tooMany(field, length, most)] : eachObject(value, field, check)
}

/** Does the same for a list whose items have a name, which must be unique. */
function namedItems(value: unknown, field: string, most: number, check: Check): FieldError[] {
  const names = listOf(value).map((item) => textOf(objectOf(item)['name'] ?? ''))
  const errors = atMost(value, field, most, check)
  return names.length > most ? errors : [...errors, ...repeated(names, field)]
}

function repeated(names: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>()
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [duplicateValue(`${field}[${index}]`, name)]
    seen.add(name)
    return []
  })
}

function requestErrors(request: JsonObject, field: string): FieldError[] {
  const { name, exactly, firstAvailable } = request
  const errors = named(name, `${field}.name`, labelProblems)
  const alternatives = listOf(firstAvailable).length > 0
  const one = 'exactly one of `exactly` or `firstAvailable` is required'
  if (isObject(exactly) && alternatives)
    return [...errors, invalidValue(field, null, `${one}, but multiple fields are set`)]
  if (isObject(exactly)) return [...errors, ...deviceErrors(exactly, `${field}.exactly`)]
  if (!alternatives) return [...errors, requiredValue(field, one)]
  const check: Check = (item, place) => [
    ...named(item['name'], `${place}.name`, labelProblems),
    ...deviceErrors(item, place),
  ]
  return [...errors, ...namedItems(firstAvailable, `${field}.firstAvailable`, MOST_ALTERNATIVES, check)]
}

function deviceErrors(request: JsonObject, field: string): FieldError[] {
  const { deviceClassName, selectors, tolerations } = request
  return [
    ...requiredName(deviceClassName, `${field}.deviceClassName`, subdomainProblems),
    ...atMost(selectors, `${field}.selectors`, MOST_SELECTORS, ({ cel }, place) =>
      required(cel, `${place}.cel`),
    ),
    ...amountErrors(request, field),
    ...eachObject(tolerations, `${field}.tolerations`, tolerationErrors),
  ]
}

function amountErrors({ allocationMode, count = 0 }: JsonObject, field: string): FieldError[] {
  const mode = textOf(allocationMode ?? '')
  if (mode === 'ExactCount')
    return Number(count) > 0 ? [] : [invalidValue(`${field}.count`, count, 'must be greater than zero')]
  if (mode !== 'All') return [unsupportedValue(`${field}.allocationMode`, mode, ['All', 'ExactCount'])]
  if (Number(count) === 0) return []
  return [invalidValue(`${field}.count`, count, "must not be specified when allocationMode is 'All'")]
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'None']

function tolerationErrors({ key, operator, value, effect }: JsonObject, field: string): FieldError[] {
  const errors = key ? named(key, `${field}.key`, labelKeyProblems) : []
  if (operator === 'Exists') {
    if (value) errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator `Exists`'))
  } else if (operator === 'Equal') addAll(errors, named(value, `${field}.value`, labelValueProblems))
  else if (!operator) errors.push(requiredValue(`${field}.operator`))
  else errors.push(unsupportedValue(`${field}.operator`, operator, ['Equal', 'Exists']))
  if (effect && !EFFECTS.includes(textOf(effect)))
    errors.push(unsupportedValue(`${field}.effect`, effect, EFFECTS))
  return errors
}

function constraintErrors(
  { requests, matchAttribute, distinctAttribute }: JsonObject,
  field: string,
  names: RequestNames,
): FieldError[] {
  const errors = referenceErrors(requests, `${field}.requests`, names)
  if (matchAttribute !== undefined)
    return [...errors, ...attributeErrors(textOf(matchAttribute), `${field}.matchAttribute`)]
  if (distinctAttribute !== undefined)
    return [...errors, ...attributeErrors(textOf(distinctAttribute), `${field}.distinctAttribute`)]
  // Kubernetes has this message also where neither is set.
  const one =
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  return [...errors, requiredValue(field, one)]
}

const DOMAIN_MISSING = 'a fully qualified name must be a domain and a name separated by a slash'

/** The name of an attribute: a domain and an identifier. Kubernetes does not check a name with more slashes. */
function attributeErrors(name: string, field: string): FieldError[] {
  const [domain = '', identifier, ...more] = name.split('/')
  if (identifier === undefined)
    return [...identifierErrors(domain, field), invalidValue(field, name, DOMAIN_MISSING)]
  if (more.length > 0) return []
  return [
    ...(domain === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : driverName(domain, field)),
    ...(identifier === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : identifierErrors(identifier, field)),
  ]
}

const IDENTIFIER_FORM =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"

function identifierErrors(text: string, field: string): FieldError[] {
  const errors =
    new TextEncoder().encode(text).length > LONGEST_IDENTIFIER ? [tooLong(field, LONGEST_IDENTIFIER)] : []
  return /^[A-Za-z_]\w*$/.test(text) ? errors : [...errors, invalidValue(field, text, IDENTIFIER_FORM)]
}

function opaqueErrors(opaque: unknown, field: string): FieldError[] {
  if (!isObject(opaque)) return [requiredValue(field)]
  const { driver, parameters } = opaque
  return [...driverName(driver, `${field}.driver`), ...parameterErrors(parameters, `${field}.parameters`)]
}

function parameterErrors(parameters: unknown, field: string): FieldError[] {
  if (parameters === undefined || parameters === null) return [requiredValue(field)]
  if (JSON.stringify(parameters).length > LONGEST_PARAMETERS) return [tooLong(field, LONGEST_PARAMETERS)]
  return isObject(parameters) ? [] : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')]
}

/** The names of the requests of a claim, with those of their alternatives. */
type RequestNames = ReadonlyMap<string, ReadonlySet<string>>

function namesOf(requests: unknown): RequestNames {
  return new Map(
    listOf(requests)
      .map(objectOf)
      .map(({ name, firstAvailable }) => [
        textOf(name ?? ''),
        new Set(listOf(firstAvailable).map((item) => textOf(objectOf(item)['name'] ?? ''))),
      ]),
  )
}

const NO_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

/** The errors of references to requests, such as `gpu` and `gpu/large`. */
function referenceErrors(value: unknown, field: string, names: RequestNames): FieldError[] {
  const references = listOf(value).map((item) => textOf(item ?? ''))
  if (references.length > MOST_REQUESTS) return [tooMany(field, references.length, MOST_REQUESTS)]
  const errors = references.flatMap((reference, index) => {
    const at = `${field}[${index}]`
    const parts = reference.split('/')
    const [request = '', alternative] = parts
    if (parts.length > 2) return [invalidValue(at, reference, NO_REQUEST)]
    const known = names.get(request)
    const found = known !== undefined && (alternative === undefined || known.has(alternative))
    const wrong = parts.flatMap((part) => named(part, at, labelProblems))
    return found ? wrong : [...wrong, invalidValue(at, reference, NO_REQUEST)]
  })
  return [...errors, ...repeated(references, field)]
}
