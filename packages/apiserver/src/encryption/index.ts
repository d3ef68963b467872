/**
 * Encryption of stored objects, by an EncryptionConfiguration of kube-apiserver: which objects are encrypted in a data folder, by
 * which keys. Stored values begin with the provider and the name of the key, as in etcd.
 */
export { readEncryption } from './read-encryption.ts'
export { ValueEncryption } from './value-encryption.ts'
