import { declaredType, structFields, type DeclaredType, type ValueSchema } from '@homeostat/cel'
import { ExpressionCompiler, type ExpressionOptions } from '../expressions/index.ts'
import { listOf, objectOf, textOf } from '../schema/index.ts'
import { policyOf, type Policy } from './policy.ts'

/** A kind that a policy matches, and the schema of its objects, without references. */
export interface MatchedKind {
  readonly apiVersion: string
  readonly kind: string
  readonly schema: ValueSchema
}

/** The type errors of one of a policy's expressions. */
export interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

/**
 * Type-checks the expressions of a ValidatingAdmissionPolicy as kube-controller-manager does: with `object` and
 * `oldObject` of each matched kind, and with `params` of the kind of its parameters. Warnings do not change the
 * policy's decisions.
 */
export function policyWarnings(
  spec: object,
  kinds: readonly MatchedKind[],
  params: ValueSchema | undefined,
): ExpressionWarning[] {
  const policy = policyOf('', objectOf(spec))
  const checks = kinds.map((kind) => typeCheck(policy, kind, params))
  const check = (fieldRef: string, source: unknown): ExpressionWarning[] => {
    if (source === undefined || source === '') return []
    const problems = checks.flatMap((problemOf) => problemOf(textOf(source)) ?? [])
    return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join('\n') }]
  }
  return listOf(policy.spec['validations']).flatMap((value, index) => {
    const { expression, messageExpression } = objectOf(value)
    const at = `spec.validations[${index}]`
    return [...check(`${at}.expression`, expression), ...check(`${at}.messageExpression`, messageExpression)]
  })
}

/** The type errors of an expression where `object` is of this kind. */
function typeCheck(
  policy: Policy,
  { apiVersion, kind, schema }: MatchedKind,
  params: ValueSchema | undefined,
): (source: string) => string | undefined {
  const object = declaredType(schema, true, kind)
  // The names of both types must differ, also where the parameters are of the same kind.
  const paramsType = params && declaredType(params, true, `params.${kind}`)
  const declared = [object, paramsType].filter((type) => type !== undefined)
  const compiler = new ExpressionCompiler({
    hasVariables: true,
    types: { ...typesOf({ object, params: paramsType }), field: structFields(declared) },
  })
  // Unlike in an evaluation, `authorizer.requestResource` is not declared.
  const options: ExpressionOptions = {
    params: policy.paramKind !== undefined,
    authorizer: true,
    requestResource: false,
  }
  for (const { name, expression } of policy.variables) compiler.declareType(name, expression, options)
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  return (source) => {
    const problem = compiler.typeProblem(source, options)
    return problem === undefined ? undefined : `${groupVersion}, Kind=${kind}: ${problem}\n`
  }
}

function typesOf({ object, params }: Readonly<Record<'object' | 'params', DeclaredType | undefined>>) {
  return { object: object?.type, params: params?.type }
}
