import { labelSelectorFrom, type LabelSelector } from '@homeostat/api'
import { matchRuleOf, type ExcludingCriteria } from '../matching/index.ts'
import type { ServerObject } from '../registry/index.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../schema/index.ts'

/** The kind of a policy's parameters. */
export interface ParamKind {
  readonly apiVersion: string
  readonly kind: string
}

/** A named expression: a match condition, or a variable. */
export interface NamedExpression {
  readonly name: string
  readonly expression: string
}

/** The common part of both kinds of policies. */
export interface Policy {
  readonly name: string
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly paramKind: ParamKind | undefined
  readonly criteria: ExcludingCriteria
  readonly matchConditions: readonly NamedExpression[]
  readonly variables: readonly NamedExpression[]
  /** The fields of its spec that only its kind has. */
  readonly spec: JsonObject
}

/** Selects the objects that are a binding's parameters. */
export interface ParamRef {
  readonly name: string
  readonly namespace: string
  readonly selector: LabelSelector | undefined
  readonly deniesWithout: boolean
}

/** A binding, which puts a policy into effect. */
export interface PolicyBinding {
  readonly name: string
  readonly policyName: string
  readonly paramRef: ParamRef | undefined
  /** Undefined where the binding matches all requests that its policy matches. */
  readonly criteria: ExcludingCriteria | undefined
  readonly actions: readonly string[]
}

export function policyOf(name: string, spec: JsonObject): Policy {
  const { paramKind } = spec
  return {
    name,
    failurePolicy: spec['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: isObject(paramKind)
      ? { apiVersion: textOf(paramKind['apiVersion'] ?? ''), kind: textOf(paramKind['kind'] ?? '') }
      : undefined,
    criteria: criteriaOf(objectOf(spec['matchConstraints'])),
    matchConditions: namedExpressions(spec['matchConditions']),
    variables: namedExpressions(spec['variables']),
    spec,
  }
}

export function bindingOf(object: ServerObject): PolicyBinding {
  const { policyName, paramRef, matchResources, validationActions } = objectOf(object['spec'])
  return {
    name: object.metadata.name ?? '',
    policyName: textOf(policyName ?? ''),
    paramRef: isObject(paramRef) ? paramRefOf(paramRef) : undefined,
    criteria: isObject(matchResources) ? criteriaOf(matchResources) : undefined,
    actions: listOf(validationActions).map((action) => textOf(action)),
  }
}

function paramRefOf({ name, namespace, selector, parameterNotFoundAction }: JsonObject): ParamRef {
  return {
    name: textOf(name ?? ''),
    namespace: textOf(namespace ?? ''),
    selector: isObject(selector) ? labelSelectorFrom(selector) : undefined,
    deniesWithout: parameterNotFoundAction === 'Deny',
  }
}

function criteriaOf(match: JsonObject): ExcludingCriteria {
  return {
    rules: listOf(match['resourceRules']).map((rule) => matchRuleOf(objectOf(rule))),
    excludeRules: listOf(match['excludeResourceRules']).map((rule) => matchRuleOf(objectOf(rule))),
    isOpen: true,
    matchPolicy: match['matchPolicy'] === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: labelSelectorFrom(objectOf(match['namespaceSelector'])),
    objectSelector: labelSelectorFrom(objectOf(match['objectSelector'])),
  }
}

function namedExpressions(value: unknown): NamedExpression[] {
  return listOf(value).map((one) => {
    const { name, expression } = objectOf(one)
    return { name: textOf(name ?? ''), expression: textOf(expression ?? '') }
  })
}
