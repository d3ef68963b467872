/**
 * Questions that a real server of 1.34 answers otherwise than one of 1.36, and ours of 1.34 as one of 1.36. All of them are refused by
 * both servers; the causes have the words of 1.36, and each of them once. A question that is answered right must leave the list.
 */
export const KNOWN_ANSWERS: readonly string[] = [
  'clusterrole 11',
  'clusterrole 12',
  'csinode 3',
  'horizontalpodautoscaler 2',
  'horizontalpodautoscaler 28',
  'horizontalpodautoscaler 3',
  'horizontalpodautoscaler-v1 4',
  'job 64',
  'namespace 3',
  'networkpolicy 16',
  'persistentvolume 18',
  'pod-containers 98',
  'pod-metadata 7',
  'pod-metadata 8',
  'pod-volumes 26',
  'prioritylevelconfiguration 2',
  'prioritylevelconfiguration 5',
  'role 11',
  'role 12',
  'runtimeclass 2',
  'runtimeclass 7',
  'storageclass 14',
  'storageclass 15',
  'storageclass 16',
  'volumeattachment 2',
]
