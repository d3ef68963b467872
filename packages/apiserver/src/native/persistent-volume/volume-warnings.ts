import { type FieldError, forbiddenValue, isObject, type JsonObject, objectOf } from '../../schema/index.ts'
import { annotationWarnings } from '../persistent-volume-claim/claim-warnings.ts'
import { nodeSelectorWarnings } from '../pod-spec/node-label-warnings.ts'
import { OLD_VOLUMES } from '../pod-spec/pod-warnings.ts'

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options'
const RECYCLE =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'

/** Old sources that cause a warning in a Pod but not in a PersistentVolume. */
const WITHOUT_WARNING = new Set(['gitRepo', 'flocker', 'quobyte'])

/** The sources with which an annotation may give mount options. */
const WITH_MOUNT_OPTIONS = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'gcePersistentDisk',
  'glusterfs',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'quobyte',
  'rbd',
  'vsphereVolume',
]

/** The warnings for a PersistentVolume. */
export function volumeWarnings(volume: JsonObject): string[] {
  const spec = objectOf(volume['spec'])
  const metadata = objectOf(volume['metadata'])
  return [
    ...annotationWarnings(metadata),
    ...(hasMountOptions(metadata)
      ? [
          `metadata.annotations[${MOUNT_OPTIONS}]: deprecated since v1.31; use "mountOptions" attribute instead`,
        ]
      : []),
    ...(spec['persistentVolumeReclaimPolicy'] === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${RECYCLE}`]
      : []),
    ...nodeSelectorWarnings(objectOf(spec['nodeAffinity'])['required'], 'spec.nodeAffinity.required'),
    ...[...OLD_VOLUMES]
      .filter(([name]) => isObject(spec[name]) && !WITHOUT_WARNING.has(name))
      .map(([name, why]) => `spec.${name === 'storageos' ? 'storageOS' : name}: ${why}`),
  ]
}

/** Refuses mount options in an annotation, where the source of the volume does not know any. */
export function mountOptionErrors(volume: JsonObject): FieldError[] {
  const spec = objectOf(volume['spec'])
  if (!hasMountOptions(objectOf(volume['metadata']))) return []
  if (WITH_MOUNT_OPTIONS.some((name) => isObject(spec[name]))) return []
  const detail = 'may not specify mount options for this volume type'
  return [forbiddenValue(`metadata.annotations.${MOUNT_OPTIONS}`, detail)]
}

function hasMountOptions(metadata: JsonObject): boolean {
  return Object.hasOwn(objectOf(metadata['annotations']), MOUNT_OPTIONS)
}
