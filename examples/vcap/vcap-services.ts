import type { Secret } from 'homeostat/kinds'

/** The label by which a Secret says which service its credentials are for, such as `postgresql`. */
export const SERVICE = 'deployment.hsc.philips.com.cn/service'

/** The document that programs find in the variable `VCAP_SERVICES`: for each service, its instances. */
export function vcapServices(secrets: readonly Secret[]): string {
  const services: Record<string, object[]> = {}
  for (const { metadata, data = {} } of secrets) {
    const label = metadata.labels?.[SERVICE] ?? ''
    const credentials = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decoded(value)]))
    const instance = { name: metadata.name, label, tags: [label], credentials }
    services[label] = [...(services[label] ?? []), instance]
  }
  return JSON.stringify(services)
}

/** The names of the Secrets that a document was made of; none if it is no such document. */
export function secretsIn(document: string): ReadonlySet<string> {
  try {
    const services = JSON.parse(document) as Record<string, { name: string }[]>
    return new Set(Object.values(services).flatMap((instances) => instances.map(({ name }) => name)))
  } catch {
    return new Set()
  }
}

/** A text as the data of a Secret hold it. */
export function encoded(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** The text that the data of a Secret hold. */
export function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)))
}
