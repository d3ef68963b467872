/**
 * The arguments for npm. It signs where and from which commit a package was built, which only works in the workflow of
 * a release; elsewhere npm refuses to publish.
 */
export function publishArguments(isDryRun: boolean): string[] {
  const purpose = isDryRun ? '--dry-run' : '--provenance'
  return ['publish', '--access', 'public', '--ignore-scripts', '--loglevel=notice', purpose]
}
