import {
  apiVersionOf,
  customResourceDefinition,
  type AnyKind,
  type CustomResourceDefinitionManifest,
} from '@homeostat/api'
import type { Controller } from '../controller/index.ts'
import type { Conversion, Webhook, WebhookClientConfig } from '../webhook/index.ts'

/** The path of the conversion webhook of all kinds. */
const CONVERT_PATH = '/convert'

interface OperatorParts {
  readonly kinds?: readonly AnyKind[] | undefined
  readonly controllers?: readonly Controller[] | undefined
  readonly webhooks?: readonly Webhook[] | undefined
}

/**
 * The operator's own kinds: the option `kinds` or, without it, the kinds that its controllers are for. The versions of
 * its conversions are always included.
 */
export function operatorKinds({ kinds, controllers = [], webhooks = [] }: OperatorParts): readonly AnyKind[] {
  const own = kinds ?? controllers.flatMap(({ kind }) => (kind?.schema ? [kind] : []))
  const found = new Map<string, AnyKind>()
  // The version that a conversion stores is the last of its kinds.
  for (const kind of [...conversionsOf(webhooks).flatMap((each) => each.kinds), ...own]) {
    const name = `${apiVersionOf(kind)} ${kind.kind}`
    if (!found.has(name)) found.set(name, kind)
  }
  return [...found.values()]
}

/**
 * The definitions of an operator's kinds, one for each kind with all its versions. Definitions of kinds with a
 * conversion name the webhook that converts them, if `webhook` says how an API server reaches it.
 */
export function operatorDefinitions(
  { kinds = [], webhooks = [] }: OperatorParts,
  webhook?: WebhookClientConfig,
): CustomResourceDefinitionManifest[] {
  const conversions = conversionsOf(webhooks)
  const groups = Map.groupBy(kinds, ({ group, kind }) => `${kind}.${group}`)
  return [...groups.values()].map((versions) => {
    const conversion = conversions.find(({ stored }) => isSameKind(stored, versions[0]!))
    return customResourceDefinition(versions, {
      stored: conversion?.stored.version,
      conversion: conversion && webhook && conversionAt(webhook),
    })
  })
}

function conversionAt({ service, url, caBundle }: WebhookClientConfig) {
  return {
    ...(service
      ? { service: { ...definedPort(service), path: CONVERT_PATH } }
      : { url: `${url.replace(/\/$/, '')}${CONVERT_PATH}` }),
    caBundle,
  }
}

function definedPort({
  name,
  namespace,
  port,
}: {
  readonly name: string
  readonly namespace: string
  readonly port?: number | undefined
}) {
  return { name, namespace, ...(port === undefined ? {} : { port }) }
}

function isSameKind(one: AnyKind, other: AnyKind): boolean {
  return one.kind === other.kind && one.group === other.group
}

function conversionsOf(webhooks: readonly Webhook[]): Conversion<AnyKind>[] {
  return webhooks.filter(
    (webhook): webhook is Conversion<AnyKind> => 'stored' in webhook && 'kinds' in webhook,
  )
}
