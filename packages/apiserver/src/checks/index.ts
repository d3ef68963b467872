/** Checks of fields that several native kinds share. Each returns errors or warnings with Kubernetes' messages. */
export { addMissing, ensureObject, objectsIn, setDefault, setPositive } from './absent.ts'
export { addressWarnings, networkWarnings } from './address-warnings.ts'
export {
  eachObject,
  named,
  qualifiedName,
  required,
  requiredOneOf,
  oneOf,
  requiredName,
  port,
  notNegativeQuantity,
  notNegative,
  unchanged,
  driverName,
  amountOf,
  atMostAll,
  countOrPercent,
  address,
  domainPrefixedPath,
  network,
  positive,
  optionalName,
  positiveQuantity,
  between,
  optionalLabel,
  portOrName,
} from './checks.ts'
export { validateConditions } from './conditions.ts'
export { operatorErrors, validateLabelSelector, selectorText, isEmptySelector } from './label-selector.ts'
export { selects } from './selects.ts'
export { validateTemplateMetadata } from './template-metadata.ts'
export { descendingPath, noSteppingBack, fileMode, localPath } from './path-validation.ts'
export { configurationProblem, type ConfigurationShape } from './configuration-shape.ts'
