import { checkOptionNames, HomeostatError } from '@homeostat/api'
import { checkBy } from './check.ts'
import { CHECK_MODULE_OPTIONS, type CheckModuleOptions } from './options/index.ts'
import type { CheckReport } from './report/index.ts'

/**
 * Checks the operator that is the default export of a module, in separate threads. The module's export `check` declares
 * intended behaviour. If the operator blocks its thread, the check fails with code `CHECK_BLOCKED` and the number of
 * the run.
 */
export async function checkModule(url: string | URL, options: CheckModuleOptions = {}): Promise<CheckReport> {
  checkOptionNames(options, CHECK_MODULE_OPTIONS)
  const { jobs = 1, only, seed, combinations, trials, keeps, varies, final, rights } = options
  if (!Number.isInteger(jobs) || jobs < 1) {
    throw new HomeostatError('CHECK_OPTION_INVALID', `jobs is ${jobs}: give a whole number from 1 on`)
  }
  if (options.invariants || options.external) {
    throw new HomeostatError(
      'CHECK_OPTION_INVALID',
      'the options invariants and external contain functions, which cannot be sent to a thread: put them into the export check of the module',
    )
  }
  // Only here, so that a check in this thread needs nothing of Node.
  const { TrialThread } = await import('./run/threads.ts')
  await using threads = new AsyncDisposableStack()
  const sent = { only, seed, combinations, trials, keeps, varies, final, rights }
  const data = { module: String(url), options: sent }
  const hosts = Array.from({ length: jobs }, () => threads.use(new TrialThread(data)))
  return await checkBy(hosts, options)
}
