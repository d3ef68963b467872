import { expect, test } from 'vitest'
import { TestEnvironment } from './testing/index.ts'
import { RELEASES, type Release } from './version/index.ts'

test.each(Object.keys(RELEASES) as Release[])(
  'the metrics of a server of Kubernetes %s name this version',
  async (release) => {
    await using environment = await TestEnvironment.start({ kubernetesVersion: release })
    const { body } = await environment.call('GET', '/metrics')
    expect(body).toContain(`git_version="v${RELEASES[release]}+homeostat"`)
  },
)
