import type { NativeKind } from '../kind/native-kind.ts'
import { bindingsAction } from './bindings-action.ts'

/** Bindings of Pods to nodes. They are not stored. */
export const binding: NativeKind = {
  group: '',
  kind: 'Binding',
  answer: () => bindingsAction,
}
