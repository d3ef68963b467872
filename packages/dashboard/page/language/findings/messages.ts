import type { ToldFact, ToldFailure, ToldPods, ToldStep } from '../../../src/recording/told.ts'

export interface ClassMessages {
  readonly title: string
  /** The usual cause and the remedy. */
  readonly remedy: string
}

/** The texts of findings and their stories in one language. A language that lacks a kind of step or of fact does not compile. */
export interface FindingMessages {
  /** By the class of the finding. */
  readonly classes: Readonly<Record<string, ClassMessages | undefined>>
  /** An external system that the operator changes. */
  readonly external: (name: string) => string
  readonly failures: Readonly<Record<ToldFailure, string>>
  readonly pods: Readonly<Record<ToldPods, string>>
  readonly steps: {
    readonly [S in ToldStep['step']]: (
      step: Extract<ToldStep, { readonly step: S }>,
      tell: (step: ToldStep) => string,
    ) => string
  }
  readonly facts: {
    readonly [F in ToldFact['fact']]: (fact: Extract<ToldFact, { readonly fact: F }>) => string
  }
}

/** A value as JSON, cut where it is long. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
