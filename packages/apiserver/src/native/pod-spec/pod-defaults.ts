import { nearestNumber } from '@homeostat/api'
import { ensureObject, objectsIn, setDefault, setPositive } from '../../checks/index.ts'
import { canonicalQuantity, isObject, type JsonObject, objectOf, textOf } from '../../schema/index.ts'
import { roundAmounts, roundList } from '../compute-resources/resource-defaults.ts'
import { isHugePages } from '../compute-resources/resource-names.ts'
import { totalAmounts, totalRequests } from '../compute-resources/resource-validation.ts'
import { imageTag } from './image-name.ts'

/** Sets the defaults of a Pod's spec, or of a template's. */
function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst')
  setDefault(spec, 'restartPolicy', 'Always')
  setDefault(spec, 'securityContext', {})
  setDefault(spec, 'terminationGracePeriodSeconds', 30)
  setDefault(spec, 'schedulerName', 'default-scheduler')
  // The deprecated and the current name of one field.
  const account = spec['serviceAccountName'] || spec['serviceAccount']
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account })
  for (const volume of objectsIn(spec['volumes'])) defaultVolume(volume)
  roundAmounts(spec['resources'])
  roundList(spec['overhead'])
  for (const container of containersOf(spec)) defaultContainer(container)
}

/** Sets the defaults that Pods have and templates do not. */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec')
  defaultPodSpec(spec)
  setDefault(spec, 'enableServiceLinks', true)
  const grace = nearestNumber(spec['terminationGracePeriodSeconds'])
  if (grace !== undefined && grace < 0) spec['terminationGracePeriodSeconds'] = 1
  for (const container of [...objectsIn(spec['containers']), ...objectsIn(spec['initContainers'])]) {
    for (const port of spec['hostNetwork'] === true ? objectsIn(container['ports']) : []) {
      setPositive(port, 'hostPort', Number(port['containerPort']))
    }
    const resources = objectOf(container['resources'])
    if (!isObject(resources['limits'])) continue
    resources['requests'] = { ...resources['limits'], ...objectOf(resources['requests']) }
  }
  defaultPodRequests(spec)
  roundStatus(objectOf(pod['status']))
}

/** Sets the requests of a whole Pod, from its limits and from the requests of its containers. */
function defaultPodRequests(spec: JsonObject): void {
  const { resources } = spec
  if (!isObject(resources)) return
  const limits: JsonObject = { ...objectOf(resources['limits']) }
  if (Object.keys(limits).length === 0) return
  for (const [name, total] of Object.entries(totalAmounts(spec, 'limits'))) {
    if (isHugePages(name)) limits[name] ??= canonicalQuantity(total)
  }
  resources['limits'] = limits
  const requests: JsonObject = { ...objectOf(resources['requests']) }
  for (const [name, total] of Object.entries(totalRequests(spec))) {
    if (name === 'cpu' || name === 'memory') requests[name] ??= canonicalQuantity(total)
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (name === 'cpu' || name === 'memory' || isHugePages(name)) requests[name] ??= limit
  }
  if (Object.keys(requests).length > 0) resources['requests'] = requests
}

/** Rounds the amounts that a kubelet reports. */
function roundStatus(status: JsonObject): void {
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
  for (const part of [status, ...lists.flatMap((name) => objectsIn(status[name]))]) {
    roundList(part['allocatedResources'])
    roundAmounts(part['resources'])
  }
}

/** Sets the defaults of a workload's template. */
export function defaultPodTemplate(holder: JsonObject): void {
  const template = ensureObject(holder, 'template')
  ensureObject(template, 'metadata')
  defaultPodSpec(ensureObject(template, 'spec'))
}

/** All containers of a spec, with init and ephemeral ones. */
function containersOf(spec: JsonObject): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => objectsIn(spec[name]))
}

function defaultContainer(container: JsonObject): void {
  const latest = imageTag(textOf(container['image'] ?? '')) === 'latest'
  setDefault(container, 'imagePullPolicy', latest ? 'Always' : 'IfNotPresent')
  setDefault(container, 'terminationMessagePath', '/dev/termination-log')
  setDefault(container, 'terminationMessagePolicy', 'File')
  for (const variable of objectsIn(container['env'])) {
    defaultReference(objectOf(variable['valueFrom']))
  }
  roundAmounts(container['resources'])
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name]
    if (isObject(probe)) defaultProbe(probe)
  }
  const lifecycle = objectOf(container['lifecycle'])
  for (const hook of ['postStart', 'preStop']) {
    const { httpGet } = objectOf(lifecycle[hook])
    if (isObject(httpGet)) defaultHttpGet(httpGet)
  }
}

/** Sets the defaults of a reference to a field of the Pod or to a container's resource. */
function defaultReference(source: JsonObject): void {
  const { fieldRef, resourceFieldRef } = source
  if (isObject(fieldRef)) setDefault(fieldRef, 'apiVersion', 'v1')
  if (isObject(resourceFieldRef)) setDefault(resourceFieldRef, 'divisor', '0')
}

function defaultProbe(probe: JsonObject): void {
  setPositive(probe, 'timeoutSeconds', 1)
  setPositive(probe, 'periodSeconds', 10)
  setPositive(probe, 'successThreshold', 1)
  setPositive(probe, 'failureThreshold', 3)
  const { httpGet, grpc } = probe
  if (isObject(httpGet)) defaultHttpGet(httpGet)
  if (isObject(grpc)) grpc['service'] ??= ''
}

function defaultHttpGet(action: JsonObject): void {
  setDefault(action, 'path', '/')
  setDefault(action, 'scheme', 'HTTP')
}

/** The sources of volumes with a default mode for files. */
const WITH_MODE = ['secret', 'configMap', 'downwardAPI', 'projected']

function defaultVolume(volume: JsonObject): void {
  const sources = Object.keys(volume).filter((name) => isObject(volume[name]))
  if (sources.length === 0) volume['emptyDir'] = {}
  for (const name of WITH_MODE) {
    const source = volume[name]
    if (isObject(source)) source['defaultMode'] ??= 0o644
  }
  const { hostPath, image, downwardAPI, projected, ephemeral } = volume
  if (isObject(hostPath)) hostPath['type'] ??= ''
  if (isObject(image)) {
    const latest = imageTag(textOf(image['reference'] ?? '')) === 'latest'
    setDefault(image, 'pullPolicy', latest ? 'Always' : 'IfNotPresent')
  }
  for (const part of [
    downwardAPI,
    ...objectsIn(objectOf(projected)['sources']).map((one) => one['downwardAPI']),
  ]) {
    for (const item of objectsIn(objectOf(part)['items'])) {
      defaultReference(item)
    }
  }
  for (const { serviceAccountToken } of objectsIn(objectOf(projected)['sources'])) {
    if (isObject(serviceAccountToken)) serviceAccountToken['expirationSeconds'] ??= 3600
  }
  const { spec: claim } = objectOf(objectOf(ephemeral)['volumeClaimTemplate'])
  if (!isObject(claim)) return
  claim['volumeMode'] ??= 'Filesystem'
  roundAmounts(claim['resources'])
}
