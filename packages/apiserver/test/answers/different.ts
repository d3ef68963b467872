/** What our server answers differently than a real one, and why. What no longer differs has to go. */
export const DIFFERENT: Readonly<Record<string, string>> = {
  'pod-metadata 28': 'the real message is one of etcd, with the key that the object has there',
  'secret 10': 'which character of a text is the first one that cannot be JSON is not found out',
}
