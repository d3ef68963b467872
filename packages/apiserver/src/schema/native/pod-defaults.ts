import { isObject, objectOf, textOf, type JsonObject } from '../json.ts'
import { ensureObject, objectsIn, setDefault, setPositive } from './absent.ts'
import { imageTag } from './image-name.ts'

/** What Kubernetes fills into every spec of Pods, be it a Pod's own or that of a template. */
function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst')
  setDefault(spec, 'restartPolicy', 'Always')
  setDefault(spec, 'securityContext', {})
  setDefault(spec, 'terminationGracePeriodSeconds', 30)
  setDefault(spec, 'schedulerName', 'default-scheduler')
  // One field under two names, the old and the new.
  const account = spec['serviceAccountName'] || spec['serviceAccount']
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account })
  for (const volume of objectsIn(spec['volumes'])) defaultVolume(volume)
  for (const container of containersOf(spec)) defaultContainer(container)
}

/** What Kubernetes fills into Pods and not into templates. */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec')
  defaultPodSpec(spec)
  setDefault(spec, 'enableServiceLinks', true)
  const grace = spec['terminationGracePeriodSeconds']
  if (typeof grace === 'number' && grace < 0) spec['terminationGracePeriodSeconds'] = 1
  for (const container of [...objectsIn(spec['containers']), ...objectsIn(spec['initContainers'])]) {
    for (const port of spec['hostNetwork'] === true ? objectsIn(container['ports']) : []) {
      setPositive(port, 'hostPort', Number(port['containerPort']))
    }
    const resources = objectOf(container['resources'])
    if (!isObject(resources['limits'])) continue
    resources['requests'] = { ...resources['limits'], ...objectOf(resources['requests']) }
  }
}

/** What Kubernetes fills into the template of a workload. */
export function defaultPodTemplate(workload: JsonObject): void {
  const template = ensureObject(ensureObject(workload, 'spec'), 'template')
  ensureObject(template, 'metadata')
  defaultPodSpec(ensureObject(template, 'spec'))
}

/** All containers of a spec, of whatever kind. */
function containersOf(spec: JsonObject): JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => objectsIn(spec[name]))
}

function defaultContainer(container: JsonObject): void {
  const latest = imageTag(textOf(container['image'] ?? '')) === 'latest'
  setDefault(container, 'imagePullPolicy', latest ? 'Always' : 'IfNotPresent')
  setDefault(container, 'terminationMessagePath', '/dev/termination-log')
  setDefault(container, 'terminationMessagePolicy', 'File')
  for (const variable of objectsIn(container['env'])) {
    const { fieldRef } = objectOf(variable['valueFrom'])
    if (isObject(fieldRef)) setDefault(fieldRef, 'apiVersion', 'v1')
  }
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

/** The sources of a volume whose files get a mode. */
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
      if (isObject(item['fieldRef'])) setDefault(item['fieldRef'], 'apiVersion', 'v1')
    }
  }
  for (const { serviceAccountToken } of objectsIn(objectOf(projected)['sources'])) {
    if (isObject(serviceAccountToken)) serviceAccountToken['expirationSeconds'] ??= 3600
  }
  const { spec: claim } = objectOf(objectOf(ephemeral)['volumeClaimTemplate'])
  if (isObject(claim)) claim['volumeMode'] ??= 'Filesystem'
}
