import { execFileSync } from 'node:child_process'

/** Whether kubectl is on the PATH. In CI it must be. */
export const hasKubectl = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

if (!hasKubectl && process.env['CI']) throw new Error('CI needs kubectl on the PATH')
