/**
 * What kubectl prints otherwise on our server, by script, number of the command and command, with the reason. One that
 * differs no more fails.
 */
export const knownDifferences: Readonly<Record<string, string>> = {
  'refusals 4: apply -f -':
    'for a kind that no OpenAPI v3 document has, kubectl asks for OpenAPI v2, which is not served yet',
  'pods 10: patch pod one -p {"spec":{"restartPolicy":"Never"}}':
    "the message of a kube-apiserver ends with a difference of its own program's structures",
}
