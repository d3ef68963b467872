/** The questions that our server answers differently than a real one, with the reason. Remove an entry once the answers are equal. */
export const DIFFERENT: Readonly<Record<string, string>> = {
  'pod-metadata 28': 'the real message is one of etcd, with the key that the object has there',
}
