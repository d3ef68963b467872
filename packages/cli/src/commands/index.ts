/** The commands of `homeostat`, in the order of its help. */
import type { Command } from '../command/index.ts'
import { check } from './check.ts'
import { cluster } from './cluster.ts'
import { compat } from './compat.ts'
import { completionOf } from './completion.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { graph } from './graph.ts'
import { manifests } from './manifests.ts'
import { openapi } from './openapi.ts'
import { run } from './run.ts'
import { test } from './test.ts'
import { types } from './types.ts'

const others: readonly Command[] = [
  dev,
  manifests,
  run,
  test,
  check,
  graph,
  doctor,
  types,
  openapi,
  compat,
  cluster,
]

export const commands: readonly Command[] = [...others, completionOf(others)]
