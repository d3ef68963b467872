import {
  address,
  between,
  eachObject,
  named,
  objectsIn,
  optionalLabel,
  optionalName,
  qualifiedName,
  required,
  requiredOneOf,
} from '../../../checks/index.ts'
import {
  byteLength,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  searchProblems,
  subdomainProblems,
  textOf,
  tooLong,
  validateAnnotations,
  validateLabels,
  valueNotFound,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { validatePodResources, validateResources } from '../../compute-resources/resource-validation.ts'
import {
  paddedImage,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  type PodContext,
} from './container-validation.ts'
import { validateConfinement, validatePodAnnotations } from './pod-annotations.ts'
import {
  containersOf,
  validateHostProcess,
  validateHostUsers,
  validateOs,
  validatePodSecurity,
} from './pod-security-context.ts'
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling-validation.ts'
import { validateVolumes } from './volume-validation.ts'

const LARGEST = 2 ** 31 - 1

/** Validates the spec of a Pod or a template; `pod` is the Pod's name, which a template does not have. */
function validatePodSpec(spec: JsonObject, field: string, pod?: string): FieldError[] {
  const { errors, volumes } = validateVolumes(spec['volumes'], `${field}.volumes`, pod)
  const claims = new Set(objectsIn(spec['resourceClaims']).map(({ name }) => textOf(name)))
  claims.delete('')
  const context: PodContext = { spec, volumes, claims }
  const grace = required(spec['terminationGracePeriodSeconds'], `${field}.terminationGracePeriodSeconds`)
  return [
    ...grace,
    ...errors,
    ...claimErrors(spec, `${field}.resourceClaims`),
    ...validateContainers(context, `${field}.containers`),
    ...validateInitContainers(context, `${field}.initContainers`),
    ...validateEphemeralContainers(context, `${field}.ephemeralContainers`),
    ...validatePodResources(spec, field, claims),
    ...hostNetworkErrors(spec, field, pod !== undefined),
    ...requiredOneOf(spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...requiredOneOf(
      spec['dnsPolicy'],
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      `${field}.dnsPolicy`,
    ),
    ...validateLabels(spec['nodeSelector'], `${field}.nodeSelector`),
    ...validatePodSecurity(spec, field),
    ...validateAffinity(spec['affinity'], `${field}.affinity`),
    ...dnsErrors(spec, `${field}.dnsConfig`),
    ...eachObject(spec['readinessGates'], `${field}.readinessGates`, ({ conditionType }, at) =>
      qualifiedName(conditionType, `${at}.conditionType`),
    ),
    ...gateErrors(spec, `${field}.schedulingGates`),
    ...validateTopologySpread(spec['topologySpreadConstraints'], `${field}.topologySpreadConstraints`),
    ...validateHostProcess(spec, field),
    ...validateHostUsers(spec, field),
    ...hostnameErrors(spec, `${field}.hostnameOverride`),
    ...optionalName(spec['serviceAccountName'], `${field}.serviceAccountName`),
    ...optionalName(spec['nodeName'], `${field}.nodeName`),
    ...between(spec['activeDeadlineSeconds'], 1, LARGEST, `${field}.activeDeadlineSeconds`),
    ...optionalLabel(spec['hostname'], `${field}.hostname`),
    ...optionalLabel(spec['subdomain'], `${field}.subdomain`),
    ...validateTolerations(spec['tolerations'], `${field}.tolerations`),
    ...eachObject(spec['hostAliases'], `${field}.hostAliases`, hostAliasErrors),
    ...optionalName(spec['priorityClassName'], `${field}.priorityClassName`),
    ...(spec['runtimeClassName'] === undefined
      ? []
      : named(spec['runtimeClassName'], `${field}.runtimeClassName`, subdomainProblems)),
    ...(spec['preemptionPolicy'] === undefined
      ? []
      : requiredOneOf(
          spec['preemptionPolicy'],
          ['PreemptLowerPriority', 'Never'],
          `${field}.preemptionPolicy`,
        )),
    ...(isObject(spec['overhead'])
      ? validateResources({ limits: spec['overhead'] }, `${field}.overhead`)
      : []),
    ...validateOs(spec, field),
    ...fileKeyErrors(spec, field),
  ]
}

/** Validates the template of a workload. As in Kubernetes, errors name its labels without `metadata`. */
export function validatePodTemplate(template: JsonObject, field: string): FieldError[] {
  const metadata = objectOf(template['metadata'])
  const spec = objectOf(template['spec'])
  const errors = [
    ...validateLabels(metadata['labels'], `${field}.labels`),
    ...validateAnnotations(metadata['annotations'], `${field}.annotations`),
    ...validatePodAnnotations(metadata['annotations'], spec, `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
    ...validateConfinement(metadata, spec, `${field}.spec`),
  ]
  if (listOf(spec['ephemeralContainers']).length === 0) return errors
  const detail = 'ephemeral containers not allowed in pod template'
  return [...errors, forbiddenValue(`${field}.spec.ephemeralContainers`, detail)]
}

/** Validates what applies to new and to existing Pods. */
function validatePodObject(pod: JsonObject): FieldError[] {
  const spec = objectOf(pod['spec'])
  const metadata = objectOf(pod['metadata'])
  const errors = [
    ...validatePodAnnotations(metadata['annotations'], spec, 'metadata.annotations'),
    ...validatePodSpec(spec, 'spec', textOf(metadata['name'] ?? '')),
  ]
  if (!spec['serviceAccountName']) {
    for (const [index, volume] of objectsIn(spec['volumes']).entries()) {
      for (const [source, one] of objectsIn(objectOf(volume['projected'])['sources']).entries()) {
        if (!isObject(one['serviceAccountToken'])) continue
        const at = `spec.volumes[${index}].projected.sources[${source}].serviceAccountToken`
        errors.push(forbiddenValue(at, 'must not be specified when serviceAccountName is not set'))
      }
    }
  }
  for (const kind of ['containers', 'initContainers']) {
    addAll(errors, eachObject(spec[kind], `spec.${kind}`, paddedImage))
  }
  return errors
}

/** Validates a Pod. Some rules apply only to new Pods, which have no `old`. */
export function validatePod(pod: JsonObject, old?: JsonObject): FieldError[] {
  const errors = validatePodObject(pod)
  if (old) return errors
  const spec = objectOf(pod['spec'])
  if (listOf(spec['ephemeralContainers']).length > 0) {
    errors.push(forbiddenValue('spec.ephemeralContainers', 'cannot be set on create'))
  }
  if (spec['nodeName'] && listOf(spec['schedulingGates']).length > 0) {
    errors.push(forbiddenValue('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'))
  }
  return [...errors, ...validateConfinement(objectOf(pod['metadata']), spec, 'spec')]
}

function claimErrors(spec: JsonObject, field: string): FieldError[] {
  const names = new Set<string>()
  return eachObject(spec['resourceClaims'], field, (claim, at) => {
    const name = textOf(claim['name'] ?? '')
    const { resourceClaimName, resourceClaimTemplateName } = claim
    const errors: FieldError[] = []
    if (name === '') errors.push(requiredValue(`${at}.name`))
    else if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name))
    else {
      addAll(errors, named(name, `${at}.name`, labelProblems))
      names.add(name)
    }
    const shown = {
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    }
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
      errors.push(invalidValue(at, shown, detail))
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
      errors.push(invalidValue(at, shown, detail))
    }
    for (const part of ['resourceClaimName', 'resourceClaimTemplateName']) {
      if (claim[part] !== undefined) addAll(errors, named(claim[part], `${at}.${part}`, subdomainProblems))
    }
    return errors
  })
}

function hostNetworkErrors(spec: JsonObject, field: string, isPod: boolean): FieldError[] {
  if (spec['hostNetwork'] !== true) return []
  return eachObject(spec['containers'], `${field}.containers`, (container, at) =>
    eachObject(container['ports'], `${at}.ports`, ({ hostPort = 0, containerPort }, where) => {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) return []
      const detail = 'must match `containerPort` when `hostNetwork` is true'
      return [invalidValue(`${where}.hostPort`, hostPort, detail)]
    }),
  )
}

function dnsErrors(spec: JsonObject, field: string): FieldError[] {
  const { dnsPolicy, dnsConfig } = spec
  if (dnsPolicy === 'None') {
    if (!isObject(dnsConfig)) {
      return [requiredValue(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    }
    if (listOf(dnsConfig['nameservers']).length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
      return [requiredValue(`${field}.nameservers`, detail)]
    }
  }
  if (!isObject(dnsConfig)) return []
  const servers = listOf(dnsConfig['nameservers'])
  const searches = listOf(dnsConfig['searches']).map(textOf)
  const errors: FieldError[] = []
  if (servers.length > 3) {
    errors.push(invalidValue(`${field}.nameservers`, servers, 'must not have more than 3 nameservers'))
  }
  addAll(
    errors,
    servers.flatMap((one, index) => address(one, `${field}.nameservers[${index}]`)),
  )
  if (searches.length > 32) {
    errors.push(invalidValue(`${field}.searches`, searches, 'must not have more than 32 search paths'))
  }
  if (byteLength(searches.join(' ')) > 2_048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list'
    errors.push(invalidValue(`${field}.searches`, searches, detail))
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue
    addAll(errors, named(search.replace(/\.$/, ''), `${field}.searches[${index}]`, searchProblems))
  }
  for (const [index, option] of listOf(dnsConfig['options']).entries()) {
    if (!objectOf(option)['name'])
      errors.push(requiredValue(`${field}.options[${index}]`, 'must not be empty'))
  }
  return errors
}

function gateErrors(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(spec['schedulingGates'], field, ({ name }, at) => {
    const errors = qualifiedName(name, at)
    if (seen.has(name)) errors.push(duplicateValue(at, name))
    seen.add(name)
    return errors
  })
}

function hostnameErrors(spec: JsonObject, field: string): FieldError[] {
  const { hostnameOverride } = spec
  if (hostnameOverride === undefined) return []
  const errors: FieldError[] = []
  if (spec['setHostnameAsFQDN'] === true) {
    errors.push(forbiddenValue(field, 'may not be specified when setHostnameAsFQDN is true'))
  }
  if (spec['hostNetwork'] === true) {
    errors.push(forbiddenValue(field, 'may not be specified when hostNetwork is true'))
  }
  if (byteLength(textOf(hostnameOverride)) > 64) errors.push(tooLong(field, 64))
  return [...errors, ...named(hostnameOverride, field, subdomainProblems)]
}

function hostAliasErrors(alias: JsonObject, field: string): FieldError[] {
  return [
    ...address(alias['ip'], `${field}.ip`),
    ...listOf(alias['hostnames']).flatMap((name, index) =>
      named(name, `${field}.hostnames[${index}]`, subdomainProblems),
    ),
  ]
}

/** Variables that are read from a file need a volume that containers can write to. */
function fileKeyErrors(spec: JsonObject, field: string): FieldError[] {
  const volumes = new Map(objectsIn(spec['volumes']).map((volume) => [volume['name'], volume]))
  const errors: FieldError[] = []
  for (const [container, at] of containersOf(spec, field)) {
    for (const [index, variable] of listOf(container['env']).entries()) {
      const { fileKeyRef } = objectOf(objectOf(variable)['valueFrom'])
      if (!isObject(fileKeyRef)) continue
      const name = fileKeyRef['volumeName'] ?? ''
      const where = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`
      const volume = volumes.get(name)
      if (!volume) errors.push(valueNotFound(where, name))
      else if (!isObject(volume['emptyDir'])) {
        errors.push(invalidValue(where, name, 'referenced volume must be of type emptyDir'))
      }
    }
  }
  return errors
}
